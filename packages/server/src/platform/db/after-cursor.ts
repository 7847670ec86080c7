import { type Expression, type SqlBool, sql } from 'kysely';
import type { Cursor } from '../http/cursor.ts';

/** Is a row behind the cursor in a list whose largest `value` is first, and the largest `id` among equal ones? */
export function afterCursor(value: string, id: string, after: Cursor): Expression<SqlBool> {
  const [column, tie] = [sql.ref(value), sql.ref(id)];
  // Compared as one, both engines begin in an index where the page does.
  return sql<SqlBool>`(${column}, ${tie}) < (${after.value}, ${after.id})`;
}
