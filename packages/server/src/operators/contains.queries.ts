import { type Expression, type SqlBool, sql } from 'kysely';

/**
 * Tests whether `words` is a part of one of the columns. Wildcards in `words` are plain
 * characters, on both engines.
 */
export function anyContains(columns: readonly string[], words: string): Expression<SqlBool> {
  const pattern = `%${words.replaceAll(/[\\%_]/gu, '\\$&')}%`;
  const tests = columns.map((column) => sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`);
  return sql<SqlBool>`(${sql.join(tests, sql` or `)})`;
}
