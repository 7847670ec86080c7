import type { Transaction } from 'kysely';
import type { Config } from '../../config.ts';
import { insertJob } from '../jobs/insert-job.ts';
import { lockName } from './dialect.ts';
import type { Schema } from './schema.ts';

/** A transaction under way, and what happens when it is committed: nothing of it does where it is not. */
export interface Tx {
  /** Reads and writes inside the transaction. */
  readonly db: Transaction<Schema>;
  /** When it began, in epoch milliseconds: the one instant of all that it writes. */
  readonly now: number;
  /** The settings that rules go by. */
  readonly config: Config;
  /**
   * Tells whoever caches or waits for `thing` that it changed, once this is committed, on this node and on others. Losing
   * one costs seconds, never a record: every listener also looks for itself.
   */
  announce(thing: string, id: string): void;
  /** Asks for a job, now or at an instant; a kind and ref that is already waiting stays one job. */
  enqueue(kind: string, ref: string, runAt?: number): Promise<void>;
  /**
   * Until this ends nobody else is past the same call with the same name: for limits that are counted and then used.
   * SQLite's one writer needs none.
   */
  lock(name: string): Promise<void>;
  /**
   * What is kept in memory of what transactions have written is kept by this, in a WeakMap. It stays the same object as long
   * as nobody but this process writes, and until a transaction that asked for it is undone. Null where other processes write.
   */
  era(): object | null;
}

export interface BegunTx {
  readonly tx: Tx;
  /** What is to be told after the commit, each topic as `thing:id`. */
  readonly topics: ReadonlySet<string>;
}

export function beginTx(
  db: Transaction<Schema>,
  { now, config, era }: Pick<Tx, 'now' | 'config' | 'era'>,
): BegunTx {
  const topics = new Set<string>();
  const announce = (thing: string, id: string) => void topics.add(`${thing}:${id}`);
  const tx: Tx = {
    db,
    now,
    config,
    announce,
    async enqueue(kind, ref, runAt = now) {
      await insertJob(db, { kind, ref, runAt });
      announce('jobs', kind);
    },
    lock: (name) => lockName(db, name),
    era,
  };
  return { tx, topics };
}
