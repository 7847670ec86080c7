import type { Config } from '../../config.ts';
import type { Clock } from '../clock/clock.ts';
import type { StatementWatch } from '../metrics/backing-metrics.ts';
import type { Announcements } from './announcements.ts';
import type { Engine } from './dialect.ts';
import type { Era } from './era.ts';
import { openSqlite } from './open-sqlite.ts';
import { defaultTiming, type PostgresTiming } from './postgres-timing.ts';
import type { Db } from './schema.ts';
import type { Tx } from './tx.ts';

export interface Database {
  readonly engine: Engine;
  /** How many writing transactions can usefully run at the same time. SQLite has one writer. */
  readonly writers: number;
  /** For reads and single statements. Inside `transaction`, use its `tx` instead. */
  readonly db: Db;
  /**
   * Runs `work` in a transaction, and returns its result after the commit. Runs all of `work` again when
   * PostgreSQL reports that another transaction came between (a serialization failure, a deadlock, a broken
   * foreign key), so `work` must have no effects except through its `tx`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Gives `work` a view of everything as it was at one moment, while others go on writing, for as long as
   * `work` takes. Read what may be large page by page, as elsewhere.
   */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  readonly announcements: Announcements;
  /** The era of `Tx.era`, for reads outside a transaction. Null if other processes write. */
  readonly era: Pick<Era, 'latest' | 'now'> | null;
  /** For statements that may take as long as they need, such as migrations: they have no time limit. */
  patiently<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Resolves when the database answers. PostgreSQL has to take writes, too. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseSettings {
  /** A postgres:// URL, or null for SQLite. */
  url: string | null;
  /** The address of the same database past a pooler; absent where `url` leads to the server itself. */
  directUrl?: string | null;
  /** The file of the SQLite database. */
  file: string;
  /** How many PostgreSQL connections this process may hold. */
  maxConnections: number;
  /** Whether PostgreSQL keeps the plans of frequent statements. The default is true. */
  namedStatements?: boolean;
  /** What differs from `defaultTiming`. */
  timing?: Partial<PostgresTiming>;
  /** Called after each statement. */
  watch?: StatementWatch | undefined;
}

/** What every transaction carries: the clock and the settings. */
export interface Rules {
  readonly clock: Clock;
  readonly config: Config;
}

export async function openDatabase(settings: DatabaseSettings, rules: Rules): Promise<Database> {
  const { url, directUrl, file, maxConnections, namedStatements = true, timing, watch } = settings;
  if (url === null) return openSqlite(file, rules, watch);
  // Imported only here: the module takes 10 MB, which a service on SQLite does not need.
  const { openPostgres } = await import('./open-postgres.ts');
  return openPostgres(url, {
    directUrl: directUrl ?? url,
    maxConnections,
    namedStatements,
    timing: { ...defaultTiming, ...timing },
    rules,
    watch,
  });
}
