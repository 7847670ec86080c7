import { mustAt } from '../must.ts';
import type { Database } from './database.ts';
import { isLockTimeout, isUnavailable } from './failures.ts';
import type { Tx } from './tx.ts';

/**
 * Group commit: items that arrive at about the same time are written in one transaction with one flush, and
 * each caller gets its result after that commit. While one batch commits, the next one gathers, so nobody
 * waits longer than for one commit before its own and the few milliseconds of a `gathering`. `write` gets the
 * whole batch and returns a result for each item. If a batch fails, its items are committed one by one, so
 * that an error reaches only the caller whose item caused it. If a lock was held for too long, the items of
 * each owner are committed together. If the database is unavailable, all callers get the error.
 */
export class GroupCommit<Item, Result> {
  readonly #database: Database;
  readonly #write: (tx: Tx, items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #maxBatch: number;
  readonly #gathering: Gathering;
  readonly #ownerOf: (item: Item) => string;
  #waiting: Waiting<Item, Result>[] = [];
  #before = 0;
  #onArrival = () => {};
  #committing = false;

  constructor(
    database: Database,
    write: (tx: Tx, items: readonly Item[]) => Promise<readonly Result[]>,
    {
      maxBatch = 256,
      gathering = asBefore,
      ownerOf = () => '',
    }: { maxBatch?: number; gathering?: Gathering; ownerOf?: (item: Item) => string } = {},
  ) {
    this.#database = database;
    this.#write = write;
    this.#maxBatch = maxBatch;
    this.#gathering = gathering;
    this.#ownerOf = ownerOf;
  }

  commit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#onArrival();
      if (this.#committing) return;
      this.#committing = true;
      // Other items that arrive in this turn of the event loop join the batch.
      setImmediate(() => void this.#commitAll());
    });
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting.splice(0, this.#maxBatch);
      this.#before = batch.length;
      await this.#commitTogether(batch);
    }
    this.#committing = false;
  }

  /** Resolves once enough items wait for a commit, or once the time for waiting is over. */
  async #gather(): Promise<void> {
    if (this.#isEnough()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#gathering.maxMs);
      this.#onArrival = () => {
        if (!this.#isEnough()) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onArrival = () => {};
  }

  #isEnough(): boolean {
    return this.#waiting.length >= Math.min(this.#maxBatch, this.#gathering.expected(this.#before));
  }

  async #commitTogether(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      const results = await this.#database.transaction((tx) => this.#write(tx, items));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      const parts = isLockTimeout(error)
        ? [...Map.groupBy(batch, ({ item }) => this.#ownerOf(item)).values()]
        : isUnavailable(error)
          ? []
          : batch.map((one) => [one]);
      if (parts.length > 1) for (const part of parts) await this.#commitTogether(part);
      else for (const { reject } of batch) reject(error);
    }
  }
}

/**
 * Group commits side by side, one for each transaction that can usefully run at the same time, so that they do not wait
 * for each other's. Items of the same owner are committed in order. An owner whose lock is held for long does not fail
 * the others.
 */
export class CommitLanes<Item, Result> {
  readonly #lanes: readonly GroupCommit<Owned<Item>, Result>[];

  constructor(database: Database, write: (tx: Tx, items: readonly Item[]) => Promise<readonly Result[]>) {
    const writeAll = (tx: Tx, all: readonly Owned<Item>[]) =>
      write(
        tx,
        all.map(({ item }) => item),
      );
    const ownerOf = ({ owner }: Owned<Item>) => owner;
    this.#lanes = Array.from(
      { length: database.writers },
      () => new GroupCommit(database, writeAll, { ownerOf }),
    );
  }

  /** @param owner an id: the last characters of ids are random */
  commit(owner: string, item: Item): Promise<Result> {
    const lane = owner.charCodeAt(owner.length - 1) % this.#lanes.length;
    return mustAt(this.#lanes, lane).commit({ owner, item });
  }
}

interface Owned<Item> {
  readonly owner: string;
  readonly item: Item;
}

/** How a batch waits for items that are probably on their way. */
export interface Gathering {
  /**
   * Returns how many items, including those that wait already, are enough for a commit. `before` is the size
   * of the last batch.
   */
  expected(before: number): number;
  /** The longest wait for other items, in milliseconds. */
  readonly maxMs: number;
}

/**
 * Expects as many items as the last batch had: callers that got their results usually call again. Without the
 * wait, the first caller would get a commit of its own while the others wait for it. A caller that is alone
 * waits once at most, after a larger batch.
 */
export const asBefore: Gathering = { expected: (before) => before, maxMs: 5 };

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}
