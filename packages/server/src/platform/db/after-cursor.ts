import { type Expression, type SqlBool, sql } from 'kysely';
import type { Cursor } from '../http/cursor.ts';

/** Is a row behind the cursor in a list whose largest `value` is first, and the largest `id` among equal ones? */
export function afterCursor(value: string, id: string, after: Cursor): Expression<SqlBool> {
  const [column, tie] = [sql.ref(value), sql.ref(id)];
  return sql<SqlBool>`(${column} < ${after.value} or (${column} = ${after.value} and ${tie} < ${after.id}))`;
}
