import type { Clock } from '../src/platform/clock/clock.ts';

/** A clock that runs like the system's, and that a test can move ahead or let stand. */
export class TestClock implements Clock {
  #aheadMs = 0;
  #standsAt: number | null = null;

  now(): number {
    return (this.#standsAt ?? Date.now()) + this.#aheadMs;
  }

  advance(by: { seconds?: number; minutes?: number; hours?: number; days?: number }): void {
    const { seconds = 0, minutes = 0, hours = 0, days = 0 } = by;
    this.#aheadMs += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  }

  /** No time passes while `work` runs but what it is moved ahead by: a slow machine changes nothing. */
  async standing<T>(work: () => Promise<T>): Promise<T> {
    this.#standsAt = Date.now();
    try {
      return await work();
    } finally {
      this.#standsAt = null;
    }
  }
}
