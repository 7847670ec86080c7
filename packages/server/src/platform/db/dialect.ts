import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { type Cells, type CellType, type CellTypes, type GivenList, List } from './lists.ts';
import { postgresRows } from './postgres-rows.ts';
import { createPostgresTokens, postgresDocs, postgresKeys, postgresStatistics } from './postgres-tokens.ts';
import { type Given, prepared } from './prepared.ts';
import type { BlobsTable, Db } from './schema.ts';
import { blocksOf, type TokenQuery, type TokenStatistics, tokenText } from './token-query.ts';
import type { Tx } from './tx.ts';

/** The database engine. Only this file knows it: all others write one query for both, with these helpers. */
export type Engine = 'sqlite' | 'postgres';

/** For migrations: type and rules of an id that the database counts up, and never gives twice. */
export function countingId(
  db: Kysely<never>,
): ['bigserial' | 'integer', (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder] {
  if (engineOf(db) === 'postgres') return ['bigserial', (column) => column.primaryKey()];
  return ['integer', (column) => column.primaryKey().autoIncrement()];
}

/** Makes the next id larger than `last`, after rows were inserted with their old ids. */
export async function setCounter(tx: Tx, table: string, last: number): Promise<void> {
  if (last <= 0) return;
  if (engineOf(tx.db) === 'postgres')
    return void (await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(tx.db));
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx.db);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(tx.db);
}

/** For migrations: keeps the rows of a table in the order of its primary key, if the engine can. */
export function keptByKey(db: Kysely<never>): RawBuilder<unknown> {
  return engineOf(db) === 'postgres' ? sql`` : sql`without rowid`;
}

/** Returns the next ids, ascending. Rows must be inserted with them in this transaction. */
export async function takeIds(tx: Tx, table: 'submissions', count: number): Promise<number[]> {
  if (engineOf(tx.db) === 'postgres')
    return (await takeNext(tx.db, { table, count })).map(({ id }) => id).sort((left, right) => left - right);
  const last = (await findLast(tx.db, { table }))[0]?.seq ?? 0;
  return Array.from({ length: count }, (_, index) => last + index + 1);
}

const takeNext = prepared(
  (_db, { table, count }: Given<{ table: string; count: number }>) => sql<{ id: number }>`
    select nextval((select pg_get_serial_sequence(${table}, 'id')::regclass)) as id
    from generate_series(1, ${count}::int)`,
);

const findLast = prepared(
  (_db, { table }: Given<{ table: string }>) => sql<{ seq: number }>`
    select seq from sqlite_sequence where name = ${table}`,
);

/** Runs a statement that SQLite does not need, as in migrations. Returns its rows; none on SQLite. */
export async function onlyOnPostgres<Row>(db: Executing, statement: RawBuilder<Row>): Promise<Row[]> {
  return engineOf(db) === 'postgres' ? (await statement.execute(db)).rows : [];
}

type Executing = Pick<Db, 'getExecutor'>;

function engineOf(db: Executing): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** Returns whether several rows are better written by a statement each (`preparedInsert`). */
export function writesRowByRow(db: Db): boolean {
  return engineOf(db) === 'sqlite';
}

/** Returns whether a statement can run a read for each row that it is given. */
export function hasLateralJoins(db: Db): boolean {
  return engineOf(db) === 'postgres';
}

/** For `in (…)`: a list of any length as one parameter, so that the statement stays the same. */
export function oneOf<Text extends string>(db: Db, values: readonly Text[]): RawBuilder<Text> {
  return engineOf(db) === 'postgres'
    ? sql`(select value from json_array_elements_text(${JSON.stringify(values)}::json))`
    : sql`(select value from json_each(${JSON.stringify(values)}))`;
}

/**
 * The rows of `blobs` with one of these hashes, none of which is twice. SQLite finds them by their first eight digits:
 * among a million files an index of whole hashes is too large for its cache, and PostgreSQL has that in memory.
 */
export function blobsWith(db: Db, hashes: readonly string[]): RawBuilder<BlobsTable> {
  // The select hides the length of the list, as in `oneOfList`.
  if (engineOf(db) === 'postgres')
    return sql`(select * from blobs where hash = any((select ${hashes}::text[])::text[]))`;
  return sql`(
    select blobs.* from json_each(${JSON.stringify(hashes)}) as given
    cross join blobs on substr(blobs.hash, 1, 8) = substr(given.value, 1, 8) and +blobs.hash = given.value)`;
}

/** For migrations: the index of `blobsWith`. */
export async function createHashIndex(db: Kysely<never>): Promise<void> {
  if (engineOf(db) === 'postgres') return;
  await sql`create index blobs_hash_beginning on blobs (substr(hash, 1, 8))`.execute(db);
}

/**
 * The name of a row's place, and a condition for selected places. PostgreSQL reads the whole table for `in`.
 * `areInOrder` says whether the table can be read by them, a part at a time.
 */
export function rowPlaces(db: Db) {
  const areInOrder = engineOf(db) === 'sqlite';
  return {
    name: areInOrder ? sql`rowid` : sql`ctid`,
    isOneOf: (places: RawBuilder<unknown>) =>
      areInOrder ? sql`rowid in (${places})` : sql`ctid = any(array(${places}))`,
    areInOrder,
  };
}

/** Like `oneOf`, for a list that is given to a prepared statement. An own select hides its length from PostgreSQL. */
export function oneOfList<Text extends string>(db: Db, list: GivenList<Text>): RawBuilder<Text> {
  return engineOf(db) === 'postgres'
    ? sql`(select unnest((select ${list.array()}::text[])))`
    : sql`(select value from json_each(${list.json()}))`;
}

/** Rows as a table of text columns `c0`, `c1` …, given as one parameter of JSON. */
export function rowsOf(db: Db, rows: readonly Cells[], columns: number): RawBuilder<unknown> {
  return rowsOfJson(db, sql`${JSON.stringify(rows)}`, columns);
}

/**
 * Like `rowsOf`, for a list that is given to a prepared statement. It avoids JSON, which took both engines
 * two to three times as long with 64 rows. The types are those of the columns on PostgreSQL.
 */
export function rowsOfList(db: Db, list: GivenList<Cells>, types: CellTypes): RawBuilder<unknown> {
  const columns = typeof types === 'number' ? new Array<CellType>(types).fill('text') : types;
  if (engineOf(db) === 'postgres') return postgresRows(list, columns);
  const names = columns.map((_, column) => sql.ref(`c${column}`));
  if (list.room === null) return rowsOfJson(db, list.json(), names.length);
  // Each row ends with its number, which leaves out rows past the last. SQLite may sort before a limit.
  const rows = Array.from(
    { length: list.room },
    (_, row) => sql`(${sql.join(names.map((_name, column) => list.cell(row, column)))}, ${sql.lit(row)})`,
  );
  const given = (column: number) => sql.ref(`column${column + 1}`);
  const named = names.map((name, column) => sql`${given(column)} as ${name}`);
  return sql`(select ${sql.join(named)} from (values ${sql.join(rows)}) where ${given(names.length)} < ${list.length()})`;
}

function rowsOfJson(db: Db, json: RawBuilder<string>, columns: number): RawBuilder<unknown> {
  const isPostgres = engineOf(db) === 'postgres';
  const pathOf = (column: number) => sql.lit(isPostgres ? column : `$[${column}]`);
  const names = Array.from({ length: columns }, (_, column) => sql.ref(`c${column}`));
  const fields = names.map((name, column) => sql`value->>${pathOf(column)} as ${name}`);
  const each = isPostgres ? sql`json_array_elements(${json}::json)` : sql`json_each(${json})`;
  return sql`(select ${sql.join(fields)} from ${each})`;
}

/** Takes the lock of that name until the transaction ends. SQLite, with its one writer, needs none. */
export async function lockName(db: Db, name: string): Promise<void> {
  if (engineOf(db) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/**
 * Like `lockName`, for several names, which all callers take in the same order. After 1.5 s of waiting the
 * statement fails as unavailable.
 */
export async function lockAll(tx: Tx, names: readonly string[]): Promise<void> {
  if (engineOf(tx.db) !== 'postgres' || names.length === 0) return;
  await takeLocks(tx.db, { names: new List(names) });
}

const takeLocks = prepared(
  (_db, { names }: Given<{ names: List<string> }>) => sql`
    with settings as materialized (select set_config('lock_timeout', '1500', true)),
      locks as materialized (
        select distinct hashtextextended(value, 0) as hash
        from unnest(${names.array()}::text[]) as value order by hash)
    select pg_advisory_xact_lock(hash) from settings, locks`,
);

/** Keeps the rows that the statement reads from being changed until the transaction ends; `no key update` takes them for a change. */
export function holdRows(db: Db, as: 'share' | 'no key update' = 'share'): RawBuilder<unknown> {
  return engineOf(db) === 'postgres' ? sql`for ${sql.raw(as)}` : sql``;
}

/** The operators ≥ and < for texts by their bytes. On PostgreSQL an index with `text_pattern_ops` helps them. */
export function byteOrder(db: Db): Readonly<Record<'atLeast' | 'below', RawBuilder<unknown>>> {
  return engineOf(db) === 'postgres'
    ? { atLeast: sql`~>=~`, below: sql`~<~` }
    : { atLeast: sql`>=`, below: sql`<` };
}

/** Locks the rows it reads, without rows that others have locked; with `no key` not without rows they refer to. */
export function skipLocked(db: Db, key: '' | 'no key' = ''): RawBuilder<unknown> {
  return engineOf(db) === 'postgres' ? sql`for ${sql.raw(key)} update skip locked` : sql``;
}

/** A condition that is always true. On PostgreSQL the commit of its statement, outside a transaction, does not wait for the disk. */
export function unhurried(db: Db): RawBuilder<boolean> {
  return engineOf(db) === 'postgres' ? sql`set_config('synchronous_commit', 'off', true) = 'off'` : sql`true`;
}

/**
 * For migrations: the index that finds rows of `search_docs` by tokens. SQLite keeps tokens in a full-text
 * table with the ids of those rows, PostgreSQL in a column with an index.
 */
export async function createTokenIndex(db: Kysely<never>): Promise<void> {
  if (engineOf(db) === 'postgres') return createPostgresTokens(db);
  // Tokens come folded. They may contain these two signs; other signs separate tokens.
  await sql`
    create virtual table search_tokens using fts5(
      tokens, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '_-'")`.execute(db);
  await sql`
    create trigger search_docs_gone after delete on search_docs
    begin delete from search_tokens where rowid = old.id; end`.execute(db);
}

/** For migrations: empties SQLite's index of tokens, and makes its pages small: a look-up decodes whole ones. */
export async function emptyTokenIndex(db: Kysely<never>): Promise<void> {
  const empty = sql`insert into search_tokens (search_tokens, rank) values ('delete-all', 0), ('pgsz', 500)`;
  if (engineOf(db) === 'sqlite') await empty.execute(db);
}

/** For migrations: has every row written again on PostgreSQL, where each has the tokens of its blocks. */
export async function renewTokenBlocks(db: Kysely<never>): Promise<void> {
  if (engineOf(db) === 'postgres') await sql`delete from search_state`.execute(db);
}

/** Replaces the tokens of rows of `search_docs`. */
export async function putTokens(
  tx: Tx,
  docs: readonly { readonly id: number; readonly tokens: readonly string[] }[],
): Promise<void> {
  if (engineOf(tx.db) === 'postgres') {
    const rows = JSON.stringify(docs.map(({ id, tokens }) => [id, [...tokens, ...blocksOf(id)]]));
    await sql`
      update search_docs
      set tokens = array_to_tsvector(array(select json_array_elements_text(given.value->1)))
      from json_array_elements(${rows}::json) as given(value)
      where search_docs.id = (given.value->>0)::bigint`.execute(tx.db);
    return;
  }
  for (const { id, tokens } of docs) {
    const put = sql`insert or replace into search_tokens (rowid, tokens) values (${id}, ${tokens.join(' ')})`;
    await put.execute(tx.db);
  }
}

/** Returns how many pieces the index has. On SQLite each change adds one, and a search reads all. */
export async function countTokenPieces(db: Db): Promise<number> {
  if (engineOf(db) === 'postgres') return 1;
  const counted = sql<{ pieces: number }>`select count(distinct segid) as pieces from search_tokens_idx`;
  return (await counted.execute(db)).rows[0]?.pieces ?? 0;
}

/** Merges pieces for some milliseconds (128 pages). Changes made meanwhile are another piece. */
export async function mergeTokens(tx: Tx): Promise<void> {
  if (engineOf(tx.db) === 'postgres') return;
  await sql`insert into search_tokens (search_tokens, rank) values ('merge', -128)`.execute(tx.db);
}

/** A query in the engine's syntax: values for `docsWith`, of which an engine may need only the first. */
export type TokenKeys<Value = string | null> = readonly [Value, Value, Value, Value];

/** Returns a query as values. Without a query they find nothing. */
export function tokenKeys(db: Db, query: TokenQuery | null): TokenKeys {
  if (engineOf(db) === 'postgres') return query ? postgresKeys(query) : [null, null, null, null];
  return [query ? tokenText(query, { quote: '"', and: ' AND ', or: ' OR ' }) : '""', null, null, null];
}

/** Returns the statistics of PostgreSQL. SQLite has one way, and none are needed. */
export async function findTokenStatistics(db: Db): Promise<TokenStatistics> {
  if (engineOf(db) === 'sqlite') return { frequencies: new Map(), rows: 0, newest: 0 };
  return postgresStatistics(db);
}

/**
 * Selects as `doc` the ids of at most `limit` rows that fit the `tokenKeys`. If more fit, the engine chooses; SQLite
 * takes the newest. PostgreSQL lists all fitting rows first, so give `newest`, the first key of a query for blocks of
 * the newest rows, for frequent tokens: the others are listed only if these are too few. Null as its value is none.
 */
export function docsWith(
  db: Db,
  keys: TokenKeys<RawBuilder<unknown>>,
  wanted: { limit: number; newest?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  if (engineOf(db) === 'postgres') return postgresDocs(keys, wanted);
  return sql`
    select rowid as doc from search_tokens where search_tokens match ${keys[0]}
    order by rowid desc limit ${sql.lit(wanted.limit)}`;
}

/** The database's time in epoch milliseconds, as an expression: it is the same on all nodes. */
export function databaseNow(db: Db): RawBuilder<number> {
  if (engineOf(db) === 'postgres') return sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  return sql`cast(unixepoch('subsec') * 1000 as integer)`;
}

/** Returns the database's time in epoch milliseconds. */
export async function readDatabaseClock(db: Db): Promise<number> {
  return Number((await sql<{ now: number }>`select ${databaseNow(db)} as now`.execute(db)).rows[0]?.now);
}
