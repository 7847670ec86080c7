import type { LRUCache } from 'lru-cache';
import type { Clock } from '../clock/clock.ts';
import { ServiceError } from '../errors.ts';
import { newestOf } from './newest-of.ts';

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Limits counted in this process's memory: `perMinute` at once, and as many a minute after that. What several processes
 * count together is `SharedBuckets`.
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
   * Takes `count` tokens of a bucket; one that is full gives even more than it holds.
   * @returns null, or the whole seconds until it can give them
   */
  take(name: string, count = 1): number | null {
    const now = this.#clock.now();
    const bucket = this.#buckets.get(name) ?? { tokens: this.#perMinute, at: now };
    // A clock that went back fills nothing.
    const gained = (Math.max(0, now - bucket.at) * this.#perMinute) / 60_000;
    bucket.tokens = Math.min(this.#perMinute, bucket.tokens + gained);
    bucket.at = now;
    this.#buckets.set(name, bucket);
    const lacking = Math.min(count, this.#perMinute) - bucket.tokens;
    if (lacking > 0) return Math.ceil((lacking * 60) / this.#perMinute);
    bucket.tokens -= count;
    return null;
  }
}

/**
 * Sees to it that every bucket gave what was taken; `waits` is what each answered.
 * @throws `rate_limited`
 */
export async function requireTaken(
  waits: readonly Promise<number | null>[],
  message = 'Too many posts; slow down.',
): Promise<void> {
  const retryAfterSeconds = Math.max(0, ...(await Promise.all(waits)).map((seconds) => seconds ?? 0));
  if (retryAfterSeconds > 0) throw new ServiceError('rate_limited', message, { retryAfterSeconds });
}
