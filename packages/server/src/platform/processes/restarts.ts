const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** One that has lasted so long has nothing to do with those before it. */
const settledMs = 60_000;

/** When the place of a worker that has ended is taken again. */
export class Restarts {
  #quickEnds = 0;

  /**
   * How long to wait for the next one, in milliseconds: not at all for the first, then twice as long each time until one
   * has lasted a minute.
   */
  waitMs(lastedMs: number): number {
    this.#quickEnds = lastedMs >= settledMs ? 1 : this.#quickEnds + 1;
    if (this.#quickEnds === 1) return 0;
    return Math.min(longestWaitMs, firstWaitMs * 2 ** (this.#quickEnds - 2));
  }
}
