import type { BucketCount } from '../processes/counts.ts';
import type { Together } from '../processes/together.ts';
import { type Soon, whenKnown } from '../when-known.ts';

/**
 * A limit per minute that all processes of a server count together, for calls that come thousands of times a
 * second: `perMinute` at once, and as many per minute after that. Each node counts separately, and a restart
 * resets the counts. `limit` is the name among all limits: two limits with the same name share their buckets.
 */
export class SharedBuckets {
  readonly #together: Pick<Together, 'count'>;
  readonly #limit: string;
  readonly #perMinute: number;

  constructor(together: Pick<Together, 'count'>, limit: string, perMinute: number) {
    this.#together = together;
    this.#limit = limit;
    this.#perMinute = perMinute;
  }

  /**
   * Takes `count` tokens from a bucket. A full bucket gives even more than it holds.
   * @returns null, or the whole seconds until it can give them
   */
  take(name: string, count = 1): Soon<number | null> {
    return takeOfAll(this.#together, [this.of(name, count)]);
  }

  /** Returns what `takeOfAll` needs to take from a bucket. */
  of(name: string, count = 1): BucketCount {
    return { limit: this.#limit, perMinute: this.#perMinute, name, count };
  }
}

/**
 * Takes from several buckets in turn, until one cannot give. It sends one message instead of one for each
 * bucket.
 * @returns null, or the whole seconds until that bucket can give
 */
export function takeOfAll(
  together: Pick<Together, 'count'>,
  of: readonly BucketCount[],
): Soon<number | null> {
  return whenKnown(together.count({ do: 'take', of }), (wait) => (wait === 0 ? null : wait));
}
