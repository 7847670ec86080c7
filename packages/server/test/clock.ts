import type { Clock } from '../src/platform/clock/clock.ts';

/** A clock that runs like the system's, and that a test can move ahead or stop. */
export class TestClock implements Clock {
  #aheadMs = 0;
  #standsAt: number | null = null;

  now(): number {
    return (this.#standsAt ?? Date.now()) + this.#aheadMs;
  }

  movedMs(): number {
    return this.now() - Date.now();
  }

  advance(by: { seconds?: number; minutes?: number; hours?: number; days?: number }): void {
    const { seconds = 0, minutes = 0, hours = 0, days = 0 } = by;
    this.#aheadMs += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  }

  /**
   * Stops the clock while `work` runs, except for explicit moves, so that the machine's speed does not
   * matter.
   */
  async standing<T>(work: () => Promise<T>): Promise<T> {
    this.#standsAt = Date.now();
    try {
      return await work();
    } finally {
      this.#standsAt = null;
    }
  }
}
