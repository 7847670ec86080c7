import { type Expression, type SqlBool, sql } from 'kysely';
import type { Cursor } from '../http/cursor.ts';

/**
 * Returns the condition that a row comes after the cursor, in a list that is sorted by `value` descending and
 * then by `id` descending.
 */
export function afterCursor(value: string, id: string, after: Cursor): Expression<SqlBool> {
  const [column, tie] = [sql.ref(value), sql.ref(id)];
  // Compared as one row value: then both engines begin to read the index where the page begins.
  return sql<SqlBool>`(${column}, ${tie}) < (${after.value}, ${after.id})`;
}

/** Returns the condition that a row of such a list comes before the cursor's row, or is that row. */
export function upToCursor(value: string, id: string, upTo: Cursor): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.ref(value)}, ${sql.ref(id)}) >= (${upTo.value}, ${upTo.id})`;
}
