import type { BucketCount } from '../processes/counts.ts';
import type { Together } from '../processes/together.ts';

/**
 * A limit by the minute that is counted over all processes of a server, for what comes thousands of times a second:
 * `perMinute` at once, and as many a minute after that. Each node counts its own; a restart forgets. `limit` is its name
 * among all limits: two of one name are one.
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
   * Takes `count` tokens of a bucket; one that is full gives even more than it holds.
   * @returns null, or the whole seconds until it can give them
   */
  take(name: string, count = 1): Promise<number | null> {
    return takeOfAll(this.#together, [this.of(name, count)]);
  }

  /** What `takeOfAll` takes of a bucket. */
  of(name: string, count = 1): BucketCount {
    return { limit: this.#limit, perMinute: this.#perMinute, name, count };
  }
}

/**
 * Takes of several buckets in turn, until one cannot give: one question where each by itself would be one.
 * @returns null, or the whole seconds until that one can
 */
export async function takeOfAll(
  together: Pick<Together, 'count'>,
  of: readonly BucketCount[],
): Promise<number | null> {
  const wait = await together.count({ do: 'take', of });
  return wait === 0 ? null : wait;
}
