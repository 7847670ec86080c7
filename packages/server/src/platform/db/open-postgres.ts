import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { StatementWatch } from '../metrics/backing-metrics.ts';
import { Announcements } from './announcements.ts';
import type { Database, Rules } from './database.ts';
import { DatabaseFilesUnreadable, errorCode } from './failures.ts';
import { PostgresListener } from './postgres-listener.ts';
import { openPool, pingPool } from './postgres-pool.ts';
import { ServerInUse } from './postgres-server.ts';
import { isStalePlan, StatementNames } from './postgres-statements.ts';
import { channel, type PostgresTiming } from './postgres-timing.ts';
import { pipelined } from './postgres-transaction.ts';
import type { Db, Schema } from './schema.ts';
import { beginTx } from './tx.ts';

const maxAttempts = 8;
/**
 * The SQLSTATEs of a serialization failure, of a deadlock, and of a foreign key to a row that another transaction
 * deleted after this one had found it. When the work runs again, it does not find the row.
 */
const retriedCodes = new Set(['40001', '40P01', '23503']);

export interface PostgresOptions {
  /** The address past a pooler: for announcements, and for statements that may take long. */
  readonly directUrl: string;
  readonly maxConnections: number;
  readonly namedStatements: boolean;
  readonly timing: PostgresTiming;
  readonly rules: Rules;
  /** Called after each statement of a request or a job. */
  readonly watch: StatementWatch | undefined;
}

export async function openPostgres(
  url: string,
  { directUrl, maxConnections, namedStatements, timing, rules: { clock, config }, watch }: PostgresOptions,
): Promise<Database> {
  for (const each of [url, directUrl]) requireFiles(each);
  const over = (dialect: PostgresDialect, told?: StatementWatch): Db =>
    new Kysely<Schema>({
      dialect,
      ...(told && { log: (event) => told(event.queryDurationMillis / 1_000, event.level === 'query') }),
    });
  const names = namedStatements ? new StatementNames() : null;
  const announcements = new Announcements();
  const inUse = new ServerInUse(url, timing.pulseMs, () => listener.suspect());
  const listener = new PostgresListener(directUrl, announcements, timing, inUse, (payload) =>
    tellOthers(db, new Set([payload])),
  );
  const pool = openPool(url, maxConnections, timing, names, inUse);
  const dialect = new PostgresDialect({ pool });
  const db = over(dialect, watch);
  await listener.connect();
  return {
    engine: 'postgres',
    writers: Math.max(1, Math.floor(maxConnections / 5)),
    db,
    announcements,
    era: null,
    transaction: async (work) => {
      for (let attempt = 1; ; attempt++) {
        try {
          const { result, topics, told, committed } = await pipelined(db, dialect, async (trx) => {
            const { tx, topics, committed } = beginTx(trx, { now: clock.now(), config, era: () => null });
            const result = await work(tx);
            const told = topics.size > 0 ? tellOthers(trx, topics) : Promise.resolve();
            // The commit is sent right after it, without waiting for its result.
            told.catch(() => {});
            return { result, topics, told, committed };
          });
          // If it failed, PostgreSQL rolled back at the commit, and reported no error there.
          await told;
          committed();
          await announcements.committed(topics);
          return result;
        } catch (error) {
          if (attempt >= maxAttempts || !isRetried(error)) throw error;
          await pause(attempt);
        }
      }
    },
    patiently: async (work) => {
      const patient = over(new PostgresDialect({ pool: openPool(directUrl, 2, null, null) }));
      try {
        return await work(patient);
      } finally {
        await patient.destroy();
      }
    },
    snapshot: (work) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    ping: () => pingPool(pool, inUse),
    close: async () => {
      await listener.close();
      await db.destroy();
    },
  };
}

/** @throws DatabaseFilesUnreadable */
function requireFiles(url: string): void {
  try {
    // It reads the files of certificates and keys, and does not connect.
    new pg.Client(url);
  } catch (error) {
    throw errorCode(error) === '' ? error : new DatabaseFilesUnreadable(error);
  }
}

async function tellOthers(db: Db, topics: ReadonlySet<string>): Promise<void> {
  await sql`select pg_notify(${channel}, topic) from unnest(${[...topics]}::text[]) as topic`.execute(db);
}

function isRetried(error: unknown): boolean {
  return retriedCodes.has(errorCode(error)) || isStalePlan(error);
}

/** Waits with full jitter, so that two transactions that conflicted do not conflict again. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(200, 5 * 2 ** attempt)));
}
