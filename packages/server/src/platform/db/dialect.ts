import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { type Cells, type GivenList, List } from './lists.ts';
import { type Given, prepared } from './prepared.ts';
import type { Db } from './schema.ts';
import type { Tx } from './tx.ts';

/**
 * The only file that knows which engine there is. Everything else writes one query for both, with these helpers where the
 * engines spell a thing differently.
 */
export type Engine = 'sqlite' | 'postgres';

/** For a migration: type and rules of an id that the database counts up, and never gives twice. */
export function countingId(
  db: Kysely<never>,
): ['bigserial' | 'integer', (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder] {
  return engineOf(db) === 'postgres'
    ? ['bigserial', (column) => column.primaryKey()]
    : ['integer', (column) => column.primaryKey().autoIncrement()];
}

/** The next id that `countingId` counts is past `last`: after rows were put in with the ids they had. */
export async function setCounter(tx: Tx, table: string, last: number): Promise<void> {
  if (last <= 0) return;
  if (engineOf(tx.db) === 'postgres') {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(tx.db);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx.db);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(tx.db);
}

/** For a migration: a table whose rows are kept in the order of its primary key, where the engine has such. */
export function keptByKey(db: Kysely<never>): RawBuilder<unknown> {
  return engineOf(db) === 'postgres' ? sql`` : sql`without rowid`;
}

/** The next ids of a table with a `countingId`, ascending: for rows that are inserted with them, in this transaction. */
export async function takeIds(tx: Tx, table: 'submissions', count: number): Promise<number[]> {
  if (engineOf(tx.db) === 'postgres') {
    const rows = await takeNext(tx.db, { table, count });
    return rows.map(({ id }) => id).sort((left, right) => left - right);
  }
  const [row] = await findLast(tx.db, { table });
  const last = row?.seq ?? 0;
  return Array.from({ length: count }, (_, index) => last + index + 1);
}

const takeNext = prepared(
  (_db, { table, count }: Given<{ table: string; count: number }>) => sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::int)`,
);

const findLast = prepared(
  (_db, { table }: Given<{ table: string }>) => sql<{ seq: number }>`
    select seq from sqlite_sequence where name = ${table}`,
);

function engineOf(db: Pick<Db, 'getExecutor'>): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** `in (…)` over a list of any length as one parameter, so that the statement stays the same and prepared. */
export function oneOf<Text extends string>(db: Db, values: readonly Text[]): RawBuilder<Text> {
  return engineOf(db) === 'postgres'
    ? sql`(select value from json_array_elements_text(${JSON.stringify(values)}::json))`
    : sql`(select value from json_each(${JSON.stringify(values)}))`;
}

/** As `oneOf`, of a list that is given to a prepared statement. */
export function oneOfList<Text extends string>(db: Db, list: GivenList<Text>): RawBuilder<Text> {
  return engineOf(db) === 'postgres'
    ? sql`(select unnest(${list.array()}::text[]))`
    : sql`(select value from json_each(${list.json()}))`;
}

/**
 * Rows of a JSON array of arrays as a table of text columns `c0`, `c1` …: many rows inserted with one parameter.
 */
export function rowsOf(db: Db, rows: readonly Cells[], columns: number): RawBuilder<unknown> {
  return rowsOfJson(db, sql`${JSON.stringify(rows)}`, columns);
}

/**
 * As `rowsOf`, of a list that is given to a prepared statement. Neither engine reads JSON for it: of 64 rows that took SQLite
 * two to three times as long as cells that are values, and PostgreSQL as much longer than arrays.
 */
export function rowsOfList(db: Db, list: GivenList<Cells>, columns: number): RawBuilder<unknown> {
  const names = Array.from({ length: columns }, (_, column) => sql.ref(`c${column}`));
  if (engineOf(db) === 'postgres') {
    const arrays = names.map((_, column) => sql`${list.array(column)}::text[]`);
    return sql`(select * from unnest(${sql.join(arrays)}) as each_row(${sql.join(names)}))`;
  }
  if (list.room === null) return rowsOfJson(db, list.json(), columns);
  // Each with its number behind it. What is past the last is left out by that, and not by a limit: SQLite may sort first.
  const rows = Array.from(
    { length: list.room },
    (_, row) => sql`(${sql.join(names.map((_name, column) => list.cell(row, column)))}, ${sql.lit(row)})`,
  );
  const given = (column: number) => sql.ref(`column${column + 1}`);
  const named = names.map((name, column) => sql`${given(column)} as ${name}`);
  return sql`(select ${sql.join(named)} from (values ${sql.join(rows)}) where ${given(columns)} < ${list.length()})`;
}

function rowsOfJson(db: Db, json: RawBuilder<string>, columns: number): RawBuilder<unknown> {
  const fields = Array.from({ length: columns }, (_, column) =>
    engineOf(db) === 'postgres'
      ? sql`value->>${sql.lit(column)} as ${sql.ref(`c${column}`)}`
      : sql`value->>${sql.lit(`$[${column}]`)} as ${sql.ref(`c${column}`)}`,
  );
  return engineOf(db) === 'postgres'
    ? sql`(select ${sql.join(fields)} from json_array_elements(${json}::json))`
    : sql`(select ${sql.join(fields)} from json_each(${json}))`;
}

/**
 * Long texts beside rows of `rowsOf`: all of them in one parameter, as bytes, which no engine has to parse. Returns where in
 * it each is, in bytes, for columns of those rows; `slice` is the text at such a place.
 */
export function textsOf(
  db: Db,
  texts: readonly string[],
): {
  readonly places: readonly { readonly from: number; readonly bytes: number }[];
  slice(from: RawBuilder<unknown>, bytes: RawBuilder<unknown>): RawBuilder<string>;
} {
  const buffers = texts.map((text) => Buffer.from(text));
  const all = Buffer.concat(buffers);
  let from = 1;
  const places = buffers.map(({ length: bytes }) => {
    const place = { from, bytes };
    from += bytes;
    return place;
  });
  return {
    places,
    slice: (from, bytes) =>
      engineOf(db) === 'postgres'
        ? sql`convert_from(substring(${all}::bytea from cast(${from} as integer) for cast(${bytes} as integer)), 'UTF8')`
        : // SQLite has no part of no bytes.
          sql`coalesce(cast(substr(${all}, cast(${from} as integer), cast(${bytes} as integer)) as text), '')`,
  };
}

/**
 * Until the transaction ends nobody else is past the same call with the same name: for limits that are counted and
 * then used. SQLite's one writer needs none.
 */
export async function lockName(db: Db, name: string): Promise<void> {
  if (engineOf(db) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/** Longest wait for `lockAll`: what waits longer is answered as unavailable. */
const lockWaitMs = '1500';

/** As `lock`, for several names, taken in one order by whoever takes them. */
export async function lockAll(tx: Tx, names: readonly string[]): Promise<void> {
  if (engineOf(tx.db) !== 'postgres' || names.length === 0) return;
  await takeLocks(tx.db, { names: new List(names) });
}

const takeLocks = prepared(
  (_db, { names }: Given<{ names: List<string> }>) => sql`
    with settings as materialized (select set_config('lock_timeout', ${lockWaitMs}, true)),
      locks as materialized (
        select distinct hashtextextended(value, 0) as hash
        from unnest(${names.array()}::text[]) as value order by hash)
    select pg_advisory_xact_lock(hash) from settings, locks`,
);

/**
 * The rows that the statement reads are kept from being changed until the transaction ends. SQLite's one writer
 * needs no lock.
 */
export function forShare(tx: Tx): RawBuilder<unknown> {
  return engineOf(tx.db) === 'postgres' ? sql`for share` : sql``;
}

/** The table's rows that the statement reads are locked, and rows someone else has locked are left out. */
export function skipLocked(db: Db): RawBuilder<unknown> {
  return engineOf(db) === 'postgres' ? sql`for update skip locked` : sql``;
}

/**
 * For a migration: what finds the rows of `search_docs` by their tokens. SQLite keeps them in a full-text table of its
 * own, which has their ids and no text; PostgreSQL in a column with an index.
 */
export async function createTokenIndex(db: Kysely<never>): Promise<void> {
  if (engineOf(db) === 'postgres') {
    await sql`alter table search_docs add column tokens tsvector not null default ''`.execute(db);
    // A row's tokens are looked at where an index cannot tell: not out of line, where that costs a read each.
    await sql`alter table search_docs alter column tokens set storage main`.execute(db);
    await sql`create index search_docs_tokens on search_docs using gin (tokens) with (fastupdate = off)`.execute(
      db,
    );
    return;
  }
  // Tokens come folded, with these two signs in them; anything else that is no letter stands between tokens.
  await sql`
    create virtual table search_tokens using fts5(
      tokens, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_-'")`.execute(db);
  await sql`
    create trigger search_docs_gone after delete on search_docs
    begin delete from search_tokens where rowid = old.id; end`.execute(db);
}

/** Puts the tokens of rows of `search_docs` in the place of those they had. */
export async function putTokens(
  tx: Tx,
  docs: readonly { readonly id: number; readonly tokens: readonly string[] }[],
): Promise<void> {
  if (engineOf(tx.db) === 'postgres') {
    const rows = JSON.stringify(docs.map(({ id, tokens }) => [id, tokens]));
    await sql`
      update search_docs
      set tokens = array_to_tsvector(array(select json_array_elements_text(given.value->1)))
      from json_array_elements(${rows}::json) as given(value)
      where search_docs.id = (given.value->>0)::bigint`.execute(tx.db);
    return;
  }
  for (const { id, tokens } of docs)
    await sql`insert or replace into search_tokens (rowid, tokens) values (${id}, ${tokens.join(' ')})`.execute(
      tx.db,
    );
}

/** How many pieces the tokens are in: SQLite writes those of each change as one more, and a search looks into all of them. */
export async function countTokenPieces(db: Db): Promise<number> {
  if (engineOf(db) === 'postgres') return 1;
  const counted = sql<{ pieces: number }>`select count(distinct segid) as pieces from search_tokens_idx`;
  return (await counted.execute(db)).rows[0]?.pieces ?? 0;
}

/** A step of some milliseconds (16 pages) towards one piece of all of them; what others write meanwhile is another. */
export async function mergeTokens(tx: Tx): Promise<void> {
  if (engineOf(tx.db) === 'postgres') return;
  await sql`insert into search_tokens (search_tokens, rank) values ('merge', -16)`.execute(tx.db);
}

/** A token of each of these lists is in the row. */
export type TokenQuery = readonly (readonly string[])[];

/** The query as the engine writes it: a value for `docsWith`. */
export function tokenText(db: Db, query: TokenQuery): string {
  const isPostgres = engineOf(db) === 'postgres';
  const [quote, and, or] = isPostgres ? ["'", ' & ', ' | '] : ['"', ' AND ', ' OR '];
  return query.map((any) => `(${any.map((token) => `${quote}${token}${quote}`).join(or)})`).join(and);
}

/** How often tokens are in rows of `search_docs`, from 0 to 1: the thousand most frequent, once PostgreSQL has statistics. */
export async function findFrequencies(db: Db): Promise<Map<string, number>> {
  if (engineOf(db) === 'sqlite') return new Map();
  const { rows } = await sql<{ tokens: string[] | null; frequencies: number[] | null }>`
    select most_common_elems::text::text[] as tokens, most_common_elem_freqs as frequencies from pg_stats
    where schemaname = current_schema() and tablename = 'search_docs' and attname = 'tokens'`.execute(db);
  const { tokens, frequencies } = rows[0] ?? {};
  return new Map(tokens?.map((token, index) => [token, frequencies?.[index] ?? 0]));
}

/**
 * The column `doc`: ids of at most `limit` rows of `search_docs` that fit a `tokenText`. Which of more they are is the
 * engine's choice: the newest on SQLite. Of tokens that are `common` PostgreSQL would list every row before it gave one.
 */
export function docsWith(
  db: Db,
  tokens: RawBuilder<unknown>,
  { limit, isCommon = false }: { limit: number; isCommon?: boolean },
): RawBuilder<unknown> {
  if (engineOf(db) === 'sqlite')
    return sql`
      select rowid as doc from search_tokens where search_tokens match ${tokens}
      order by rowid desc limit ${sql.lit(limit)}`;
  const most = sql.lit(limit);
  // Planned by itself, without its limit: for the first few of rows that it believes to be many, PostgreSQL would read the
  // table until it has found them, which is to the end where there are none.
  if (!isCommon)
    return sql`
      with fitting as materialized (select id from search_docs where tokens @@ ${tokens}::tsquery)
      select id as doc from fitting limit ${most}`;
  // What fits is looked up where the newest were not enough, and not planned to be read before that is known.
  return sql`
    with newest as materialized (
        select id from (
          select id, tokens from search_docs order by id desc limit 1000) as newest_rows
        where tokens @@ ${tokens}::tsquery limit ${most}),
      fitting as materialized (
        select id from search_docs
        where tokens @@ ${tokens}::tsquery and (select count(*) from newest) < ${most})
    select id as doc from newest union all (select id from fitting limit ${most})`;
}

/** What the database says the time is, in milliseconds. */
export async function readDatabaseClock(db: Db): Promise<number> {
  const { rows } = await (engineOf(db) === 'postgres'
    ? sql<{ now: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
    : sql<{ now: number }>`select unixepoch('subsec') * 1000 as now`
  ).execute(db);
  return Number(rows[0]?.now);
}
