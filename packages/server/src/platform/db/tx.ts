import type { Transaction } from 'kysely';
import type { Config } from '../../config.ts';
import { insertJob } from '../jobs/insert-job.ts';
import { lockName } from './dialect.ts';
import type { Schema } from './schema.ts';

/**
 * A transaction under way, with the effects that follow its commit. Without a commit none of them happens.
 */
export interface Tx {
  /**
   * Reads and writes inside the transaction. Statements that do not need each other's results may be made side by side:
   * they run in the order in which they were made.
   */
  readonly db: Transaction<Schema>;
  /** When the transaction began, in epoch milliseconds. All rows that it writes carry this instant. */
  readonly now: number;
  /** The settings of the service. */
  readonly config: Config;
  /**
   * Tells the listeners for `thing`, on this node and on others, that it changed. They are told after the
   * commit. A lost announcement costs seconds, never a record: every listener also looks for itself.
   */
  announce(thing: string, id: string): void;
  /**
   * Requests a job, for now or for an instant in epoch milliseconds. If a job of that kind and ref already
   * waits, no second one is added.
   */
  enqueue(kind: string, ref: string, runAt?: number): Promise<void>;
  /**
   * Takes the lock of that name until the transaction ends: for limits that are counted and then used. On
   * SQLite it does nothing, because there is only one writer.
   */
  lock(name: string): Promise<void>;
  /** Has `done` called after the commit, before the caller of the transaction goes on. It must not fail. */
  afterCommit(done: () => void): void;
  /**
   * The key, in a WeakMap, of anything that is kept in memory about data that transactions have written. It
   * stays the same object as long as only this process writes, and until a transaction that asked for it is
   * rolled back. Null if other processes write.
   */
  era(): object | null;
}

export interface BegunTx {
  readonly tx: Tx;
  /** The topics to announce after the commit, each as `thing:id`. */
  readonly topics: ReadonlySet<string>;
  /** Calls what was given to `afterCommit`. */
  committed(): void;
}

export function beginTx(
  db: Transaction<Schema>,
  { now, config, era }: Pick<Tx, 'now' | 'config' | 'era'>,
): BegunTx {
  const topics = new Set<string>();
  const afterCommit: (() => void)[] = [];
  const announce = (thing: string, id: string) => void topics.add(`${thing}:${id}`);
  const tx: Tx = {
    db,
    now,
    config,
    announce,
    async enqueue(kind, ref, runAt = now) {
      await insertJob(db, { kind, ref, runAt, now });
      announce('jobs', kind);
    },
    lock: (name) => lockName(db, name),
    afterCommit: (done) => void afterCommit.push(done),
    era,
  };
  return {
    tx,
    topics,
    committed() {
      for (const done of afterCommit) done();
    },
  };
}
