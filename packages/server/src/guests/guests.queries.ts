import { forShare, oneOf } from '../platform/db/dialect.ts';
import { gathered } from '../platform/db/gathered-reads.ts';
import type { AccountId, GuestId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Somebody without an account, as far as something was written for their key. */
export interface Guest {
  readonly id: GuestId;
  readonly openedAt: number;
  /** The account that all of it went to. */
  readonly adoptedBy: AccountId | null;
}

const guestColumns = ['id', 'opened_at as openedAt', 'adopted_by as adoptedBy'] as const;

/** Many at a time are one statement. */
export const findGuestByKey = gathered(async (db: Db, keyHashes: readonly string[]) => {
  const rows = await db
    .selectFrom('guests')
    .select([...guestColumns, 'key_hash'])
    .where('key_hash', 'in', oneOf(db, keyHashes))
    .execute();
  return new Map(rows.map(({ key_hash, ...guest }): [string, Guest] => [key_hash, guest]));
});

/** As `findGuestByKey`; nobody adopts the guest until the transaction ends. */
export async function holdGuest(tx: Tx, keyHash: string): Promise<Guest | undefined> {
  return tx.db
    .selectFrom('guests')
    .select(guestColumns)
    .where('key_hash', '=', keyHash)
    .modifyEnd(forShare(tx))
    .executeTakeFirst();
}

/** Which of these guests are there and adopted by nobody; nobody adopts one until the transaction ends. */
export async function holdGuests(tx: Tx, ids: readonly GuestId[]): Promise<Set<GuestId>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.db
    .selectFrom('guests')
    .select('id')
    .where('id', 'in', oneOf(tx.db, ids))
    .where('adopted_by', 'is', null)
    .modifyEnd(forShare(tx))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** By what keys an account's guests were known before it took them over. */
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

/** Notes that a guest, where there is one, has opened a space, once in so long. */
export async function noteOpened(db: Db, keyHash: string, now: number, everyMs: number): Promise<void> {
  await db
    .updateTable('guests')
    .set({ opened_at: now })
    .where('key_hash', '=', keyHash)
    .where('opened_at', '<', now - everyMs)
    .execute();
}

/** Gives a guest to an account, once. Returns false where it went to one already. */
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

/** Takes a guest away with scores, stats and unlocks, where nobody opened a space as them since. */
export async function deleteUnopened(tx: Tx, guestId: GuestId, before: number): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('guests')
    .where('id', '=', guestId)
    .where('opened_at', '<', before)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Of an account that goes: which guests it took over is told of no more. */
export async function deleteAdopted(db: Db, accountId: AccountId): Promise<void> {
  await db.deleteFrom('guests').where('adopted_by', '=', accountId).execute();
}
