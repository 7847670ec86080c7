import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../clock/clock.ts';
import { newestOf } from '../limits/newest-of.ts';
import { TokenBuckets } from '../limits/token-buckets.ts';

/** A call that counts something. Each `name` is counted separately. */
export type CountCall =
  | {
      /**
       * Takes from each of these buckets in turn, until one cannot give. Returns 0, or the seconds until that
       * one can.
       */
      readonly do: 'take';
      readonly of: readonly BucketCount[];
    }
  | {
      /**
       * Counts up to `most`. Returns how many of `count` fitted. If there are too many names, the oldest are
       * forgotten.
       */
      readonly do: 'count';
      readonly limit: string;
      readonly name: string;
      readonly count: number;
      readonly most: number;
    }
  | {
      /** Takes back what was counted. Returns 0. */
      readonly do: 'discount';
      readonly limit: string;
      readonly name: string;
      readonly count: number;
    }
  | {
      /**
       * Holds an amount of each of these until it is released. Returns 1 if all have room; else it returns 0
       * and holds nothing.
       */
      readonly do: 'hold';
      readonly limit: string;
      readonly of: readonly Held[];
      readonly amount: number;
    }
  | {
      /** Releases what was held. Returns 0. */
      readonly do: 'release';
      readonly limit: string;
      readonly of: readonly Held[];
      readonly amount: number;
    };

/** `count` tokens of a bucket that gives `perMinute`. */
export interface BucketCount {
  readonly limit: string;
  readonly perMinute: number;
  readonly name: string;
  readonly count: number;
}

/** A thing of which an amount is held, and the most that may be held. */
export interface Held {
  readonly name: string;
  readonly most: number;
}

/** The most names of one limit: they take about 20 MB. */
const rememberedNames = 100_000;

/**
 * Everything that is counted over all processes of a server, in the memory of one. Names that are
 * counted up stay longest and may identify a person, so they are kept as hashes under a key that is lost with the
 * process. Names of buckets and of what is held are kept as they are.
 */
export class Counts {
  readonly #key = randomBytes(32);
  readonly #clock: Clock;
  readonly #buckets = new Map<string, TokenBuckets>();
  readonly #counted = new Map<string, ReturnType<typeof newestOf<number>>>();
  readonly #held = new Map<string, number>();
  /** The same amounts by holder, which are released when the holder dies. */
  readonly #holders = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs the calls of a process, the `holder`. Returns their results in the same order. */
  answer(calls: readonly CountCall[], holder: string): number[] {
    return calls.map((call) => this.#one(call, holder));
  }

  /** Releases everything that a process held, because it has ended. */
  releaseAll(holder: string): void {
    for (const [key, amount] of this.#holders.get(holder) ?? []) add(this.#held, key, -amount);
    this.#holders.delete(holder);
  }

  #one(call: CountCall, holder: string): number {
    switch (call.do) {
      case 'take':
        for (const { limit, perMinute, name, count } of call.of) {
          const wait = this.#bucket(limit, perMinute).take(name, count);
          if (wait !== null) return wait;
        }
        return 0;
      case 'count': {
        const names = this.#namesOf(call.limit);
        const name = this.#hashed(call.name);
        const known = names.get(name) ?? 0;
        const counted = Math.max(0, Math.min(call.count, call.most - known));
        if (counted > 0 || known > 0) names.set(name, known + counted);
        return counted;
      }
      case 'discount': {
        const names = this.#namesOf(call.limit);
        const name = this.#hashed(call.name);
        const left = (names.get(name) ?? 0) - call.count;
        if (left > 0) names.set(name, left);
        else names.delete(name);
        return 0;
      }
      case 'hold':
        return this.#hold(call, holder);
      case 'release':
        for (const key of keysOf(call)) this.#letGo(key, call.amount, holder);
        return 0;
    }
  }

  #hold(call: Extract<CountCall, { do: 'hold' }>, holder: string): number {
    const keys = keysOf(call);
    const hasRoom = call.of.every(
      ({ most }, index) => (this.#held.get(keys[index] ?? '') ?? 0) + call.amount <= most,
    );
    if (!hasRoom) return 0;
    const own = this.#holders.get(holder) ?? new Map<string, number>();
    this.#holders.set(holder, own);
    for (const key of keys) {
      add(this.#held, key, call.amount);
      add(own, key, call.amount);
    }
    return 1;
  }

  /** Releases at most what the holder has: the amounts of a process that has ended are free already. */
  #letGo(key: string, amount: number, holder: string): void {
    const own = this.#holders.get(holder);
    const held = Math.min(amount, own?.get(key) ?? 0);
    if (!own || held === 0) return;
    add(own, key, -held);
    if (own.size === 0) this.#holders.delete(holder);
    add(this.#held, key, -held);
  }

  #bucket(limit: string, perMinute: number): TokenBuckets {
    const known = this.#buckets.get(limit) ?? new TokenBuckets(perMinute, this.#clock, rememberedNames);
    this.#buckets.set(limit, known);
    return known;
  }

  #namesOf(limit: string): ReturnType<typeof newestOf<number>> {
    const known = this.#counted.get(limit) ?? newestOf<number>(rememberedNames);
    this.#counted.set(limit, known);
    return known;
  }

  #hashed(name: string): string {
    return createHmac('sha256', this.#key).update(name).digest('base64url').slice(0, 22);
  }
}

function keysOf({ limit, of }: { readonly limit: string; readonly of: readonly Held[] }): string[] {
  return of.map(({ name }) => `${limit} ${name}`);
}

function add(amounts: Map<string, number>, key: string, amount: number): void {
  const sum = (amounts.get(key) ?? 0) + amount;
  if (sum > 0) amounts.set(key, sum);
  else amounts.delete(key);
}
