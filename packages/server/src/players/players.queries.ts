import { oneOf } from '../platform/db/dialect.ts';
import type { Db, Tx } from '../platform/db/schema.ts';

/** Accounts by their handles, in lower case. */
export async function findAccountsByHandle(
  db: Db | Tx,
  handles: readonly string[],
): Promise<{ id: string; handle: string | null }[]> {
  return db
    .selectFrom('creators')
    .select(['id', 'handle'])
    .where('handle', 'in', oneOf(db, handles))
    .execute();
}
