import type { Insertable } from 'kysely';
import type { AccountId, PasskeyId } from '../platform/db/ids.ts';
import type { AuthPasskeysTable, Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { newId } from '../platform/secrets/id.ts';

export interface ListedPasskey {
  readonly id: PasskeyId;
  readonly name: string | null;
  readonly createdAt: number | null;
}

const listedColumns = ['id', 'name', 'created_at as createdAt'] as const;

export function listPasskeys(db: Db, creatorId: AccountId): Promise<ListedPasskey[]> {
  return db
    .selectFrom('auth_passkeys')
    .select(listedColumns)
    .where('creator_id', '=', creatorId)
    .orderBy('created_at')
    .execute();
}

/** Returns undefined if the account has no such passkey. */
export function renamePasskey(
  db: Db,
  { creatorId, id, name }: { creatorId: AccountId; id: PasskeyId; name: string },
): Promise<ListedPasskey | undefined> {
  return db
    .updateTable('auth_passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('creator_id', '=', creatorId)
    .returning(listedColumns)
    .executeTakeFirst();
}

/** Returns false if the account has no such passkey. */
export async function deletePasskey(db: Db, creatorId: AccountId, id: PasskeyId): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('auth_passkeys')
    .where('id', '=', id)
    .where('creator_id', '=', creatorId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteAllPasskeys(tx: Tx, creatorId: AccountId): Promise<void> {
  await tx.db.deleteFrom('auth_passkeys').where('creator_id', '=', creatorId).execute();
}

/** A passkey as the ceremonies need it. */
export interface KeptPasskey {
  readonly id: PasskeyId;
  readonly creatorId: AccountId;
  readonly credentialId: string;
  /** The COSE key in base64. */
  readonly publicKey: string;
  /** The use count of its authenticator; 0 if it does not count. */
  readonly counter: number;
  /** Its transports (`usb`, `internal`, …), separated by commas. */
  readonly transports: string | null;
}

const keptColumns = [
  'id',
  'creator_id as creatorId',
  'credential_id as credentialId',
  'public_key as publicKey',
  'counter',
  'transports',
] as const;

export function findPasskey(db: Db, credentialId: string): Promise<KeptPasskey | undefined> {
  return db
    .selectFrom('auth_passkeys')
    .select(keptColumns)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

export function findPasskeysOf(db: Db, creatorId: AccountId): Promise<KeptPasskey[]> {
  return db.selectFrom('auth_passkeys').select(keptColumns).where('creator_id', '=', creatorId).execute();
}

export async function insertPasskey(
  tx: Tx,
  passkey: Omit<Insertable<AuthPasskeysTable>, 'id'>,
): Promise<void> {
  await tx.db
    .insertInto('auth_passkeys')
    .values({ ...passkey, id: newId('psk') })
    .execute();
}

/** Returns false if the passkey was used or removed since `from` was read. */
export async function countPasskeyUse(
  tx: Tx,
  { id, from, to }: { id: PasskeyId; from: number; to: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('auth_passkeys')
    .set({ counter: to })
    .where('id', '=', id)
    .where('counter', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
