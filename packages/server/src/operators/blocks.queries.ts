import type { Db } from '../platform/db/schema.ts';

/** Returns blocked addresses in their order, after the address `after`. */
export async function findBlocks(db: Db, after: string | undefined, limit: number) {
  let query = db.selectFrom('blocked_addresses').selectAll().orderBy('address').limit(limit);
  if (after !== undefined) query = query.where('address', '>', after);
  return query.execute();
}
