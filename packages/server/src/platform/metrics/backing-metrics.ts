import { Histogram, type Registry } from 'prom-client';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { TalliedHistogram } from './tallied.ts';
import { type Ended, timed } from './timed.ts';
import { timedStore } from './timed-store.ts';

/** How long one statement took, and whether it was done. */
export type StatementWatch = (seconds: number, isOk: boolean) => void;

/** What `/metrics` shows of what the service stands on. */
export interface BackingMetrics {
  readonly statement: StatementWatch;
  /** The same database, its transactions timed from the wait for their turn to their commit. */
  database(database: Database): Database;
  /** The same store, its calls timed. */
  store(store: BlobStore): BlobStore;
}

/** From what an embedded engine takes to what an outage is waited for. */
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

/** A request that is refused is answered as it should be. */
function outcomeOf(ended: Ended): 'ok' | 'refused' | 'error' {
  if (ended.isOk) return 'ok';
  return ended.error instanceof ServiceError ? 'refused' : 'error';
}
