import { holdRows } from '../platform/db/dialect.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns false if nothing changes. */
export async function setBannedAt(tx: Tx, id: AccountId, bannedAt: number | null): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('creators')
    .set({ banned_at: bannedAt })
    .where('id', '=', id)
    .where('banned_at', bannedAt === null ? 'is not' : 'is', null)
    .executeTakeFirst();
  announceShown(tx, `person:${id}`);
  return numUpdatedRows === 1n;
}

/** Reads and locks the answer until the transaction ends; undefined if the account does not exist. */
export async function findBannedAt(
  tx: Tx,
  creatorId: AccountId,
): Promise<{ banned_at: number | null } | undefined> {
  return tx.db
    .selectFrom('creators')
    .select('banned_at')
    .where('id', '=', creatorId)
    .modifyEnd(holdRows(tx.db))
    .executeTakeFirst();
}
