import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Tests whether `words` is a part of a text. Wildcards in `words` are plain characters, on both engines. SQLite
 * ignores the case of ASCII letters.
 */
export function contains(text: RawBuilder<unknown>, words: string): RawBuilder<SqlBool> {
  const pattern = `%${words.replaceAll(/[\\%_]/gu, '\\$&')}%`;
  return sql<SqlBool>`${text} like ${pattern} escape '\\'`;
}

/** Tests whether `words` is a part of one of the columns. */
export function anyContains(columns: readonly string[], words: string): Expression<SqlBool> {
  const tests = columns.map((column) => contains(sql.ref(column), words));
  return sql<SqlBool>`(${sql.join(tests, sql` or `)})`;
}
