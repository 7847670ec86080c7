import { newestOf } from '../platform/limits/newest-of.ts';
import { keptMs } from './good-until.ts';

/** As many different searches as a busy process answers within the time that responses are kept. */
const remembered = 10_000;

/** Tells which responses are requested again while one would be kept. */
export class Repeats {
  readonly #requestedAt = newestOf<number>(remembered);

  /** Notes a request. Returns whether there was one for the same key a moment ago. */
  note(key: string, now: number): boolean {
    const before = this.#requestedAt.get(key);
    this.#requestedAt.set(key, now);
    return before !== undefined && Math.abs(now - before) < keptMs;
  }
}
