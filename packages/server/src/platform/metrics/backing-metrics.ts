import { Histogram, type Registry } from 'prom-client';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { TalliedHistogram } from './tallied.ts';
import { type Ended, timed } from './timed.ts';
import { timedStore } from './timed-store.ts';

/** Called after a statement, with its time in seconds and whether it succeeded. */
export type StatementWatch = (seconds: number, isOk: boolean) => void;

/** The metrics of the database and the store. */
export interface BackingMetrics {
  readonly statement: StatementWatch;
  /** Wraps the database: its transactions are timed from the wait for their turn to their commit. */
  database(database: Database): Database;
  /** Wraps the store: its calls are timed. */
  store(store: BlobStore): BlobStore;
}

/** From the time of a statement in SQLite to the time that an outage is waited for, in seconds. */
const buckets = [0.0002, 0.001, 0.005, 0.02, 0.1, 0.5, 2];

export function createBackingMetrics(registry: Registry): BackingMetrics {
  const database = new TalliedHistogram({
    name: 'spaceport_database_duration_seconds',
    help: 'Statements, and transactions with all of theirs; outcome: ok, refused (a request that was answered so) or error.',
    labelNames: ['of', 'outcome'],
    buckets,
    registers: [registry],
  });
  const store = new Histogram({
    name: 'spaceport_store_duration_seconds',
    help: 'Calls of the file store; outcome: ok, gone (no such file), refused (not what was promised) or error. Writes last as long as their senders do.',
    labelNames: ['call', 'outcome'],
    buckets,
    registers: [registry],
  });
  const timer = (of: 'statement' | 'transaction', outcome: 'ok' | 'refused' | 'error') =>
    database.tally({ of, outcome });
  const statements = { ok: timer('statement', 'ok'), error: timer('statement', 'error') };
  const transactions = {
    ok: timer('transaction', 'ok'),
    refused: timer('transaction', 'refused'),
    error: timer('transaction', 'error'),
  };
  return {
    statement: (seconds, isOk) => (isOk ? statements.ok : statements.error).observe(seconds),
    database: (opened) => ({
      ...opened,
      transaction: (work) =>
        timed(
          () => opened.transaction(work),
          (seconds, ended) => transactions[outcomeOf(ended)].observe(seconds),
        ),
    }),
    store: (opened) =>
      timedStore(opened, (call, outcome, seconds) => store.labels({ call, outcome }).observe(seconds)),
  };
}

/** Returns the outcome. A ServiceError is a regular response, and not an error of the database. */
function outcomeOf(ended: Ended): 'ok' | 'refused' | 'error' {
  if (ended.isOk) return 'ok';
  return ended.error instanceof ServiceError ? 'refused' : 'error';
}
