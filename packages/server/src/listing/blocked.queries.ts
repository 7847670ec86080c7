import { oneOf } from '../platform/db/dialect.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns whether one of these spellings is blocked. */
export async function findBlocked(db: Db, addresses: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('blocked_addresses')
    .select('address')
    .where('address', 'in', oneOf(db, [...addresses]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns false if the address was blocked already.
 * @param address as `readBlockable` spells it
 */
export async function blockAddress(tx: Tx, address: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('blocked_addresses')
    .values({ address, blocked_at: tx.now })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns false if the address was not blocked. */
export async function unblockAddress(tx: Tx, address: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('blocked_addresses')
    .where('address', '=', address)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
