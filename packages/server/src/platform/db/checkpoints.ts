import { Worker } from 'node:worker_threads';
import type { SqliteHandle } from './sqlite-handle.ts';

/**
 * The log is copied into the file when it has so many pages (16 MB). A page that many commits change, such as
 * that of an index of scores, is then written once.
 */
const duePages = 4_000;
const maxIdleMs = 10_000;

/**
 * Copies SQLite's write-ahead log into the database file in a thread. The writer would be held up for some
 * 30 ms by each copy, together with all requests. The thread copies nearly everything while the writer goes
 * on. The writer copies the rest itself: the log begins anew only when nothing is left in it.
 */
export class Checkpoints {
  readonly #file: string;
  readonly #writer: SqliteHandle;
  readonly #inTurn: (write: () => void) => Promise<unknown>;
  #isCopying = false;
  #thread: Worker | null = null;
  #ending: NodeJS.Timeout | undefined;

  /** `inTurn` runs a function when no transaction is open on the writer. */
  constructor(file: string, writer: SqliteHandle, inTurn: (write: () => void) => Promise<unknown>) {
    this.#file = file;
    this.#writer = writer;
    this.#inTurn = inTurn;
  }

  /** Call it after each commit. It never fails: what was committed stays so, and the next call looks again. */
  committed(): void {
    try {
      if (!this.#isCopying && this.#writer.loggedPages() >= duePages) this.#copy();
    } catch {
      this.#isCopying = false;
    }
  }

  /** Ends the thread. The connection that is closed last copies what is left. */
  async close(): Promise<void> {
    clearTimeout(this.#ending);
    const thread = this.#thread;
    if (thread === null) return;
    await new Promise((resolve) => {
      thread.once('exit', resolve);
      thread.ref();
      thread.postMessage('end');
    });
  }

  #copy(): void {
    this.#isCopying = true;
    clearTimeout(this.#ending);
    this.#thread ??= this.#start();
    this.#thread.postMessage('copy');
  }

  #start(): Worker {
    const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: this.#file,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
    });
    thread.unref();
    thread.on('message', () => void this.#finish());
    // Without the thread the writer copies by itself, once the log has four times as many pages.
    thread.on('error', () => {});
    thread.once('exit', () => {
      this.#thread = null;
      this.#isCopying = false;
    });
    return thread;
  }

  async #finish(): Promise<void> {
    // If another process writes meanwhile, the next copy does this too.
    await this.#inTurn(() => this.#writer.exec('pragma wal_checkpoint(passive)')).catch(() => {});
    this.#isCopying = false;
    this.#ending = setTimeout(() => this.#thread?.postMessage('end'), maxIdleMs).unref();
  }
}
