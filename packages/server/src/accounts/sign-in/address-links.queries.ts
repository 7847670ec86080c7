import type { AccountId } from '../../platform/db/ids.ts';
import { fromJson, type Json, toJson } from '../../platform/db/json.ts';
import type { Tx } from '../../platform/db/tx.ts';

/** A link in mail that confirms an address, or changes the account's address. */
export interface AddressLink {
  readonly creatorId: AccountId;
  /** The account's address when the link was requested. */
  readonly from: string;
  /** The address that the link was sent to. */
  readonly to: string;
}

/** The identifier of all links of an account, whatever address they are about. */
const prefix = 'address:';
const ofCreator = (creatorId: AccountId) => `${prefix}${creatorId}`;

/** Stores a link among the other one-time secrets, which expire and are swept in the same way. */
export async function insertAddressLink(
  tx: Tx,
  {
    tokenHash,
    link,
    now,
    expiresAt,
  }: { tokenHash: string; link: AddressLink; now: number; expiresAt: number },
): Promise<void> {
  await tx.db
    .insertInto('auth_verifications')
    .values({
      id: tokenHash,
      identifier: ofCreator(link.creatorId),
      value: toJson(link),
      expires_at: expiresAt,
      created_at: now,
      updated_at: now,
    })
    .execute();
}

export async function findAddressLink(tx: Tx, tokenHash: string): Promise<AddressLink | null> {
  const row = await tx.db
    .selectFrom('auth_verifications')
    .select('value')
    .where('id', '=', tokenHash)
    .where('identifier', 'like', `${prefix}%`)
    .where('expires_at', '>', tx.now)
    // `insertAddressLink` wrote the value.
    .$castTo<{ value: Json<AddressLink> }>()
    .executeTakeFirst();
  return row ? fromJson(row.value) : null;
}

/** Makes all links of the account invalid. */
export async function dropAddressLinks(tx: Tx, creatorId: AccountId): Promise<void> {
  await tx.db.deleteFrom('auth_verifications').where('identifier', '=', ofCreator(creatorId)).execute();
}
