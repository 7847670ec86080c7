import type { Config } from '../../config.ts';
import type { Clock } from '../clock/clock.ts';
import type { StatementWatch } from '../metrics/backing-metrics.ts';
import type { Announcements } from './announcements.ts';
import type { Engine } from './dialect.ts';
import { openSqlite } from './open-sqlite.ts';
import { defaultTiming, type PostgresTiming } from './postgres-timing.ts';
import type { Db } from './schema.ts';
import type { Tx } from './tx.ts';

export interface Database {
  readonly engine: Engine;
  /** How many transactions that write can go on side by side to some use. SQLite has one writer. */
  readonly writers: number;
  /** For reads and single statements; inside `transaction`, use its `tx`. */
  readonly db: Db;
  /**
   * Runs `work` in a transaction and returns what it returns, after the commit. Runs it again (all of it) when
   * PostgreSQL reports a serialization failure or a deadlock, so it must have no effect but those of its `tx`.
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
  /** Resolves when the database answers. */
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
  /** Whether PostgreSQL keeps the plans of what comes often (the default). */
  namedStatements?: boolean;
  /** What differs from how long PostgreSQL is waited for. */
  timing?: Partial<PostgresTiming>;
  /** Told of each statement. */
  watch?: StatementWatch | undefined;
}

/** What every transaction carries: which time it is, and the settings. */
export interface Rules {
  readonly clock: Clock;
  readonly config: Config;
}

export async function openDatabase(settings: DatabaseSettings, rules: Rules): Promise<Database> {
  const { url, file, maxConnections, namedStatements = true, timing, watch } = settings;
  if (url === null) return openSqlite(file, rules, watch);
  // Loaded where it is used: 10 MB that SQLite has no need of.
  const { openPostgres } = await import('./open-postgres.ts');
  return openPostgres(url, {
    maxConnections,
    namedStatements,
    timing: { ...defaultTiming, ...timing },
    rules,
    watch,
  });
}
