import { type Expression, type SqlBool, sql } from 'kysely';
import { afterCursor } from '../platform/db/after-cursor.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Cursor } from '../platform/http/cursor.ts';

/**
 * Returns the row that is so many rows after another one in a table, the newest first; null if fewer are left.
 * @param only a condition of the list; null for all rows
 */
export async function findRowAfter(
  db: Db,
  table: 'creators' | 'spaces',
  { after, rows, only = null }: { after: Cursor | null; rows: number; only?: Expression<SqlBool> | null },
): Promise<Cursor | null> {
  const conditions = [...(only ? [only] : []), ...(after ? [afterCursor('created_at', 'id', after)] : [])];
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const found = await sql<Cursor>`
    select created_at as value, id from ${sql.table(table)} ${where}
    order by created_at desc, id desc limit 1 offset ${rows - 1}`.execute(db);
  return found.rows[0] ?? null;
}
