import { type Kysely, type RawBuilder, sql } from 'kysely';
import { mustAt } from '../must.ts';
import type { TokenKeys } from './dialect.ts';
import type { Db } from './schema.ts';
import { type TokenQuery, type TokenStatistics, tokenText } from './token-query.ts';

const syntax = { quote: "'", and: ' & ', or: ' | ' };

/**
 * Returns the lists of a query as keys of their own, which are looked up in half of the time: GIN goes from a row that
 * one key finds to the next that another may find, but reads every row that any part of a single key finds. Further
 * lists share the last key. A key that is there again costs less than planning a statement for each number of keys.
 */
export function postgresKeys(query: TokenQuery): TokenKeys {
  const [first = [], second = first, third = second, ...others] = query;
  const last = others.length > 0 ? others : [third];
  const [one, two, three] = [first, second, third].map((any) => tokenText([any], syntax));
  return [one ?? null, two ?? null, three ?? null, tokenText(last, syntax)];
}

/** Makes `createTokenIndex` for PostgreSQL. */
export async function createPostgresTokens(db: Kysely<never>): Promise<void> {
  await sql`alter table search_docs add column tokens tsvector not null default ''`.execute(db);
  // Tokens are read from the row if the index is not exact: stored out of line, each costs a read more.
  await sql`alter table search_docs alter column tokens set storage main`.execute(db);
  const index = sql`create index search_docs_tokens on search_docs using gin (tokens) with (fastupdate = off)`;
  await index.execute(db);
}

/** Writes `docsWith` for PostgreSQL. */
export function postgresDocs(
  keys: TokenKeys<RawBuilder<unknown>>,
  { limit, newest }: { limit: number; newest?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const most = sql.lit(limit);
  const fits = (all: readonly RawBuilder<unknown>[]) =>
    sql.join(
      all.map((key) => sql`tokens @@ ${key}::tsquery`),
      sql` and `,
    );
  // Planned without its limit: for a few of many expected rows PostgreSQL would scan the table until it has
  // found them, or to its end.
  if (newest === undefined)
    return sql`
      with fitting as materialized (select id from search_docs where ${fits(keys)})
      select id as doc from fitting limit ${most}`;
  // `fitting` is read only if `among` has too few rows, which is known by then.
  return sql`
    with among as materialized (select id from search_docs where ${fits([...keys, newest])}),
      newest as materialized (select id from among limit ${most}),
      fitting as materialized (
        select id from search_docs where ${fits(keys)} and (select count(*) from newest) < ${most})
    select id as doc from newest union all (select id from fitting limit ${most})`;
}

/** Returns how often tokens are in rows of `search_docs`, as PostgreSQL has sampled it. */
export async function postgresStatistics(db: Db): Promise<TokenStatistics> {
  const found = await sql<{ tokens: string[]; frequencies: number[]; rows: number; newest: number }>`
    select coalesce(most_common_elems::text::text[], '{}') as tokens, most_common_elem_freqs as frequencies,
      reltuples as rows, (select coalesce(max(id), 0) from search_docs) as newest
    from pg_class left join pg_stats on schemaname = current_schema() and tablename = relname and attname = 'tokens'
    where oid = 'search_docs'::regclass`.execute(db);
  const { tokens, frequencies, rows, newest } = mustAt(found.rows, 0);
  return { frequencies: new Map(tokens.map((token, at) => [token, frequencies[at] ?? 0])), rows, newest };
}
