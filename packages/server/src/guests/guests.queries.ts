import { holdRows, oneOf } from '../platform/db/dialect.ts';
import { gathered } from '../platform/db/gathered-reads.ts';
import type { AccountId, GuestId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** A player without an account for whose key something was written. */
export interface Guest {
  readonly id: GuestId;
  readonly openedAt: number;
  /** The account that has adopted the guest. */
  readonly adoptedBy: AccountId | null;
}

const guestColumns = ['id', 'opened_at as openedAt', 'adopted_by as adoptedBy'] as const;

/** Finds a guest. Look-ups that come together share one statement. */
export const findGuestByKey = gathered(async (db: Db, keyHashes: readonly string[]) => {
  const rows = await db
    .selectFrom('guests')
    .select([...guestColumns, 'key_hash'])
    .where('key_hash', 'in', oneOf(db, keyHashes))
    .execute();
  return new Map(rows.map(({ key_hash, ...guest }): [string, Guest] => [key_hash, guest]));
});

/**
 * Finds a guest as `findGuestByKey` does, and locks it so that it is not adopted before the transaction ends.
 */
export async function holdGuest(tx: Tx, keyHash: string): Promise<Guest | undefined> {
  return tx.db
    .selectFrom('guests')
    .select(guestColumns)
    .where('key_hash', '=', keyHash)
    .modifyEnd(holdRows(tx.db))
    .executeTakeFirst();
}

/**
 * Returns the guests among these that exist and were not adopted, and locks them so that they are not adopted
 * before the transaction ends.
 */
export async function holdGuests(tx: Tx, ids: readonly GuestId[]): Promise<Set<GuestId>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.db
    .selectFrom('guests')
    .select('id')
    .where('id', 'in', oneOf(tx.db, ids))
    .where('adopted_by', 'is', null)
    .modifyEnd(holdRows(tx.db))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns the key hashes of the guests that an account has adopted, the newest 100. */
export async function findAdoptedKeys(db: Db, accountId: AccountId): Promise<string[]> {
  const rows = await db
    .selectFrom('guests')
    .select('key_hash')
    .where('adopted_by', '=', accountId)
    .orderBy('adopted_at', 'desc')
    .limit(100)
    .execute();
  return rows.map(({ key_hash }) => key_hash);
}

export async function insertGuest(tx: Tx, guest: { id: GuestId; keyHash: string }): Promise<void> {
  await tx.db
    .insertInto('guests')
    .values({ id: guest.id, key_hash: guest.keyHash, created_at: tx.now, opened_at: tx.now })
    .execute();
}

/**
 * Returns the id of the guest that has the scores of an account without a handle, and notes that it was opened. If there
 * is none yet, it gets the given id. No browser has its key.
 */
export async function takeWaiting(tx: Tx, given: { id: GuestId; accountId: AccountId }): Promise<GuestId> {
  const at = tx.now;
  const row = await tx.db
    .insertInto('guests')
    .values({
      id: given.id,
      key_hash: `account ${given.accountId}`,
      created_at: at,
      opened_at: at,
      adopted_by: given.accountId,
      adopted_at: at,
    })
    .onConflict((conflict) => conflict.column('key_hash').doUpdateSet({ opened_at: at }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Records that a guest, if it exists, has opened a space, at most once in `everyMs`. */
export async function noteOpened(db: Db, keyHash: string, now: number, everyMs: number): Promise<void> {
  await db
    .updateTable('guests')
    .set({ opened_at: now })
    .where('key_hash', '=', keyHash)
    .where('opened_at', '<', now - everyMs)
    .execute();
}

/** Gives a guest to an account, once. Returns false if the guest was adopted already. */
export async function markAdopted(tx: Tx, guestId: GuestId, accountId: AccountId): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('guests')
    .set({ adopted_by: accountId, adopted_at: tx.now, opened_at: tx.now })
    .where('id', '=', guestId)
    .where('adopted_by', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function findUnopened(db: Db, before: number, limit: number): Promise<GuestId[]> {
  const rows = await db
    .selectFrom('guests')
    .select('id')
    .where('opened_at', '<', before)
    .orderBy('opened_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes a guest with scores, stats and unlocks, if it has opened no space since `before`. */
export async function deleteUnopened(tx: Tx, guestId: GuestId, before: number): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('guests')
    .where('id', '=', guestId)
    .where('opened_at', '<', before)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Deletes the guests that a deleted account had adopted. */
export async function deleteAdopted(db: Db, accountId: AccountId): Promise<void> {
  await db.deleteFrom('guests').where('adopted_by', '=', accountId).execute();
}
