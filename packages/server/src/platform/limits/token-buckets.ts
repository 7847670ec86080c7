import type { LRUCache } from 'lru-cache';
import type { Clock } from '../clock/clock.ts';
import { ServiceError } from '../errors.ts';
import { allKnown, type Soon, whenKnown } from '../when-known.ts';
import { newestOf } from './newest-of.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Limits that are counted in the memory of this process: `perMinute` at once, and as many per minute after
 * that. See `SharedBuckets` for limits that several processes count together.
 */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #clock: Clock;
  readonly #buckets: LRUCache<string, Bucket>;

  constructor(perMinute: number, clock: Clock, maxBuckets = 100_000) {
    this.#perMinute = perMinute;
    this.#clock = clock;
    this.#buckets = newestOf(maxBuckets);
  }

  /**
   * Takes `count` tokens from a bucket. A full bucket gives even more than it holds.
   * @returns null, or the whole seconds until it can give them
   */
  take(name: string, count = 1): number | null {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(name) ?? this.#fill(name, now);
    // If the clock went back, nothing is added.
    const gained = (Math.max(0, now - bucket.at) * this.#perMinute) / 60_000;
    bucket.tokens = Math.min(this.#perMinute, bucket.tokens + gained);
    bucket.at = now;
    const lacking = Math.min(count, this.#perMinute) - bucket.tokens;
    if (lacking > 0) return Math.ceil((lacking * 60) / this.#perMinute);
    bucket.tokens -= count;
    return null;
  }

  /** Adds a full bucket. */
  #fill(name: string, at: number): Bucket {
    const bucket = { tokens: this.#perMinute, at };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}

/**
 * Checks that every bucket gave what was taken. `waits` are the results of `take`.
 * @throws `rate_limited`
 */
export function requireTaken(
  waits: readonly Soon<number | null>[],
  message = 'Too many posts; slow down.',
): Soon<void> {
  return whenKnown(allKnown(waits), (known) => {
    const retryAfterSeconds = Math.max(0, ...known.map((seconds) => seconds ?? 0));
    if (retryAfterSeconds > 0) throw new ServiceError('rate_limited', message, { retryAfterSeconds });
  });
}
