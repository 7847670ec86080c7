import { closeSync, fdatasync, openSync } from 'node:fs';

/** Flushes what was written to an open file, given by its descriptor, to the disk. */
export type Flush = (file: number, done: (error: Error | null) => void) => void;

/** A flush of SQLite's log has failed: what was committed since the one before may not be on the disk. */
class LogFlushFailed extends Error {
  constructor(cause: unknown) {
    super('disk I/O error: the log of SQLite did not reach the disk; start the service again', { cause });
  }
}

/**
 * Makes commits durable in a thread. SQLite itself holds up the whole process for as long as the disk takes, which is
 * some 10 to 100 ms on an SD card. It writes commits to its log one after the other, so a flush makes all earlier ones
 * durable, too.
 *
 * After a failed flush nobody knows what is on the disk, and the system may report success the next time without
 * having written it. So everything fails from then on, until the service starts again and SQLite reads what is there.
 */
export class LogFlush {
  readonly #path: string;
  readonly #flush: Flush;
  #file: number | null = null;
  #waiting: PromiseWithResolvers<void>[] = [];
  #running: Promise<void> | null = null;
  #failure: LogFlushFailed | null = null;

  /** @param path the path of the log, which is there after the first commit */
  constructor(path: string, flush: Flush = fdatasync) {
    this.#path = path;
    this.#flush = flush;
  }

  /** Fails if a flush has failed. */
  requireSound(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Resolves when everything that is committed by now is on the disk. */
  flushed(): Promise<void> {
    const flushed = Promise.withResolvers<void>();
    this.#waiting.push(flushed);
    this.#running ??= this.#flushAll();
    return flushed.promise;
  }

  /** Flushes until nobody waits. A flush under way may have begun before a commit, so that has the next one. */
  async #flushAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting.splice(0);
      try {
        await this.#once();
        for (const { resolve } of waiting) resolve();
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
    this.#running = null;
  }

  async #once(): Promise<void> {
    this.requireSound();
    try {
      this.#file ??= openSync(this.#path, 'r+');
      const file = this.#file;
      await new Promise<void>((resolve, reject) => {
        this.#flush(file, (error) => (error === null ? resolve() : reject(error)));
      });
    } catch (error) {
      this.#failure = new LogFlushFailed(error);
      throw this.#failure;
    }
  }

  /** Closes the log, after the flush under way. */
  async close(): Promise<void> {
    await this.#running;
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
