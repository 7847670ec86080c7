import { type Expression, type SqlBool, sql } from 'kysely';

/** Which page of a list is asked for, as every list of operators takes it. */
export interface ListQuery {
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Is `words` a part of one of the columns? Its own wildcards are plain characters, on both engines. */
export function anyContains(columns: readonly string[], words: string): Expression<SqlBool> {
  const pattern = `%${words.replaceAll(/[\\%_]/gu, '\\$&')}%`;
  const tests = columns.map((column) => sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`);
  return sql<SqlBool>`(${sql.join(tests, sql` or `)})`;
}
