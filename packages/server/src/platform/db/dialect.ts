import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type ColumnDefinitionBuilder,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type RawBuilder,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { requireWritable } from '../writable.ts';
import { Announcements } from './announcements.ts';
import { channel, defaultTiming, type PostgresTiming, silence } from './postgres-timing.ts';
import type { Db, Schema, Tx } from './schema.ts';
import {
  insideTransaction,
  SqliteDriver,
  SqliteSnapshotDriver,
  TransactionalSqliteAdapter,
} from './sqlite-driver.ts';

/**
 * The only file that knows which engine there is. Everything else writes one query for both, with the helpers
 * below where the engines spell a thing differently.
 */
export type Engine = 'sqlite' | 'postgres';

export interface Database {
  readonly engine: Engine;
  /** How many transactions that write can go on side by side to some use. SQLite has one writer. */
  readonly writers: number;
  /** For reads and single statements; inside `transaction`, use its `tx`. */
  readonly db: Db;
  /**
   * Runs `work` in a transaction and answers what it answers, after the commit. Runs it again (all of it) when
   * PostgreSQL reports a serialization failure or a deadlock, so it must have no effect outside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Reads everything as it is at one moment, while others go on writing, for as long as `work` takes; page by page, as any
   * read of what may be large.
   */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  readonly announcements: Announcements;
  /** For statements that may take as long as they need, such as migrations: no limit ends them. */
  patiently<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Answers when the database does. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseSettings {
  /** A postgres:// address, or null for the embedded engine. */
  url: string | null;
  /** The embedded engine's file. */
  file: string;
  /** PostgreSQL connections this process may hold. */
  maxConnections: number;
  /** What differs from how long PostgreSQL is waited for. */
  timing?: Partial<PostgresTiming>;
}

export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  return settings.url === null
    ? openSqlite(settings.file)
    : openPostgres(settings.url, settings.maxConnections, { ...defaultTiming, ...settings.timing });
}

const maxAttempts = 8;
const retriedCodes = new Set(['40001', '40P01']);

async function openSqlite(file: string): Promise<Database> {
  mkdirSync(dirname(file), { recursive: true });
  const driver = new SqliteDriver(file);
  const db = sqliteWith(driver);
  const announcements = new Announcements();
  // The admin command works on the same file: its commits show as a new data version.
  let seen = driver.dataVersion();
  const watch = setInterval(() => {
    const version = driver.dataVersion();
    if (version === seen) return;
    seen = version;
    announcements.deliverEverything();
  }, 250);
  watch.unref();
  return {
    engine: 'sqlite',
    writers: 1,
    db,
    announcements,
    transaction: async (work) => {
      // It would wait for its own end.
      if (insideTransaction.getStore()) throw new Error('A transaction inside a transaction.');
      return announcements.collecting((collect) =>
        insideTransaction.run(true, () => db.transaction().execute((tx) => collect(tx, work))),
      );
    },
    patiently: (work) => work(db),
    snapshot: async (work) => {
      const frozen = sqliteWith(new SqliteSnapshotDriver(file));
      try {
        return await work(frozen);
      } finally {
        await frozen.destroy();
      }
    },
    ping: async () => {
      await sql`select 1`.execute(db);
      await requireWritable(dirname(file));
    },
    close: async () => {
      clearInterval(watch);
      await db.destroy();
    },
  };
}

function sqliteWith(driver: Driver): Db {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new TransactionalSqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

async function openPostgres(url: string, maxConnections: number, timing: PostgresTiming): Promise<Database> {
  // Loaded where it is used: 10 MB that SQLite has no need of.
  const [{ openPool }, { PostgresListener }] = await Promise.all([
    import('./postgres-pool.ts'),
    import('./postgres-listener.ts'),
  ]);
  const over = (max: number, limits: PostgresTiming | null): Db =>
    new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(url, max, limits) }) });
  const db = over(maxConnections, timing);
  const announcements = new Announcements();
  const listener = new PostgresListener(url, announcements, timing);
  await listener.connect();
  return {
    engine: 'postgres',
    writers: Math.max(1, Math.floor(maxConnections / 5)),
    db,
    announcements,
    transaction: async (work) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await announcements.collecting((collect) =>
            db.transaction().execute((tx) =>
              collect(tx, async () => {
                const result = await work(tx);
                for (const topic of announcements.pending(tx))
                  await sql`select pg_notify(${channel}, ${topic})`.execute(tx);
                return result;
              }),
            ),
          );
        } catch (error) {
          if (attempt >= maxAttempts || !retriedCodes.has(errorCode(error))) throw error;
          await pause(attempt);
        }
      }
    },
    patiently: async (work) => {
      const patient = over(2, null);
      try {
        return await work(patient);
      } finally {
        await patient.destroy();
      }
    },
    snapshot: (work) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: async () => {
      await listener.close();
      await db.destroy();
    },
  };
}

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
  if (engineOf(tx) === 'postgres') {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(tx);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(tx);
}

/** For a migration: a table whose rows are kept in the order of its primary key, where the engine has such. */
export function keptByKey(db: Kysely<never>): RawBuilder<unknown> {
  return engineOf(db) === 'postgres' ? sql`` : sql`without rowid`;
}

/** The next ids of a table with a `countingId`, ascending: for rows that are inserted with them, in this transaction. */
export async function takeIds(tx: Tx, table: 'submissions', count: number): Promise<number[]> {
  if (engineOf(tx) === 'postgres') {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::int)`.execute(
      tx,
    );
    return rows.map(({ id }) => id).sort((left, right) => left - right);
  }
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(
    tx,
  );
  const last = rows[0]?.seq ?? 0;
  return Array.from({ length: count }, (_, index) => last + index + 1);
}

function engineOf(db: Pick<Db, 'getExecutor'>): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** `in (…)` over a list of any length as one parameter, so that the statement stays the same and prepared. */
export function oneOf(db: Db | Tx, values: readonly string[]): RawBuilder<string> {
  const list = JSON.stringify(values);
  return engineOf(db) === 'postgres'
    ? sql`(select value from json_array_elements_text(${list}::json))`
    : sql`(select value from json_each(${list}))`;
}

/**
 * Rows of a JSON array of arrays as a table of text columns `c0`, `c1` …: many rows inserted with one parameter.
 */
export function rowsOf(
  db: Db | Tx,
  rows: readonly (readonly (string | number | null)[])[],
  columns: number,
): RawBuilder<unknown> {
  const list = JSON.stringify(rows);
  const fields = Array.from({ length: columns }, (_, column) =>
    engineOf(db) === 'postgres'
      ? sql`value->>${sql.lit(column)} as ${sql.ref(`c${column}`)}`
      : sql`value->>${sql.lit(`$[${column}]`)} as ${sql.ref(`c${column}`)}`,
  );
  return engineOf(db) === 'postgres'
    ? sql`(select ${sql.join(fields)} from json_array_elements(${list}::json))`
    : sql`(select ${sql.join(fields)} from json_each(${list}))`;
}

/**
 * Until the transaction ends nobody else is past the same call with the same name: for limits that are counted and
 * then used. SQLite's one writer needs none.
 */
export async function lock(tx: Tx, name: string): Promise<void> {
  if (engineOf(tx) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Longest wait for `lockAll`: what waits longer is answered as unavailable. */
const lockWaitMs = '1500';

/** As `lock`, for several names, taken in one order by whoever takes them. */
export async function lockAll(tx: Tx, names: readonly string[]): Promise<void> {
  if (engineOf(tx) !== 'postgres' || names.length === 0) return;
  await sql`
    with settings as materialized (select set_config('lock_timeout', ${lockWaitMs}, true)),
      locks as materialized (
        select distinct hashtextextended(value, 0) as hash
        from json_array_elements_text(${JSON.stringify(names)}::json) order by hash)
    select pg_advisory_xact_lock(hash) from settings, locks`.execute(tx);
}

/**
 * The rows that the statement reads are kept from being changed until the transaction ends. SQLite's one writer
 * needs no lock.
 */
export function forShare(tx: Tx): RawBuilder<unknown> {
  return engineOf(tx) === 'postgres' ? sql`for share` : sql``;
}

/** The table's rows that the statement reads are locked, and rows someone else has locked are left out. */
export function skipLocked(db: Db | Tx): RawBuilder<unknown> {
  return engineOf(db) === 'postgres' ? sql`for update skip locked` : sql``;
}

/** Was the statement refused because the row is there already? */
export function isUniqueViolation(error: unknown): boolean {
  return errorCode(error) === '23505' || /UNIQUE constraint failed/u.test(messageOf(error));
}

/** Is the database itself out of reach (stopped, full, locked), rather than the statement wrong? */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (
    /^(?:08|53|55P03|57P|58)/u.test(code) ||
    /^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND)$/u.test(code)
  )
    return true;
  if (silence.test(messageOf(error))) return true;
  return /timeout exceeded when trying to connect|Connection terminated|is not queryable|database is locked|disk is full|disk I\/O error|unable to open database|readonly database/u.test(
    messageOf(error),
  );
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** Full jitter: two that met do not meet again. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(200, 5 * 2 ** attempt)));
}
