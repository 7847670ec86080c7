const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** A worker that ran for this long is not counted with those that ended before. */
const settledMs = 60_000;

/** Decides when a worker that ended is replaced. */
export class Restarts {
  #quickEnds = 0;

  /**
   * Returns how long to wait before the next start, in milliseconds: 0 for the first, then twice as long each
   * time until a worker has lasted a minute.
   */
  waitMs(lastedMs: number): number {
    this.#quickEnds = lastedMs >= settledMs ? 1 : this.#quickEnds + 1;
    if (this.#quickEnds === 1) return 0;
    return Math.min(longestWaitMs, firstWaitMs * 2 ** (this.#quickEnds - 2));
  }
}
