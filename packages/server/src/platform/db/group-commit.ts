import type { Database } from './database.ts';
import { isUnavailable } from './failures.ts';
import type { Tx } from './tx.ts';

/**
 * Commits what arrives together together: one transaction and one fsync for many callers, each answered after its
 * own commit. While one batch commits the next one gathers, so nobody waits longer than for one commit before it, and
 * for the few milliseconds of a `gathering`.
 * `write` gets the whole batch and answers a result for each. A batch that fails is committed one by one, so that a
 * thrown error is only its own caller's; where the database is out of reach it is everyone's.
 */
export class GroupCommit<Item, Result> {
  readonly #database: Database;
  readonly #write: (tx: Tx, items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #maxBatch: number;
  readonly #gathering: Gathering;
  #waiting: Waiting<Item, Result>[] = [];
  #before = 0;
  #onArrival = () => {};
  #committing = false;

  constructor(
    database: Database,
    write: (tx: Tx, items: readonly Item[]) => Promise<readonly Result[]>,
    { maxBatch = 256, gathering = asBefore }: { maxBatch?: number; gathering?: Gathering } = {},
  ) {
    this.#database = database;
    this.#write = write;
    this.#maxBatch = maxBatch;
    this.#gathering = gathering;
  }

  commit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#onArrival();
      if (this.#committing) return;
      this.#committing = true;
      // Whatever else arrives in this turn of the event loop rides along.
      setImmediate(() => void this.#commitAll());
    });
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting.splice(0, this.#maxBatch);
      this.#before = batch.length;
      try {
        const items = batch.map(({ item }) => item);
        const results = await this.#database.transaction((tx) => this.#write(tx, items));
        batch.forEach(({ resolve }, index) => {
          resolve(results[index] as Result);
        });
      } catch (error) {
        if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error);
        else for (const one of batch) await this.#commitAlone(one);
      }
    }
    this.#committing = false;
  }

  /** Resolves once as much waits as is worth a commit, or nothing more is worth waiting for. */
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

  async #commitAlone({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    try {
      const [result] = await this.#database.transaction((tx) => this.#write(tx, [item]));
      resolve(result as Result);
    } catch (error) {
      reject(error);
    }
  }
}

/** How a batch waits for what is known to be on its way. */
export interface Gathering {
  /** As many as are worth a commit now, with those that wait already; `before` were committed together last. */
  expected(before: number): number;
  /** Longer than this nobody waits for others. */
  readonly maxMs: number;
}

/**
 * Who was answered asks again, so as many come as came before: without waiting for them, those that ask first would
 * have a commit to themselves while the others wait for it. One that is alone waits for nobody the second time.
 */
export const asBefore: Gathering = { expected: (before) => before, maxMs: 5 };

interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}
