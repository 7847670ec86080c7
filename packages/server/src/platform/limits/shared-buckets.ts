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
  async take(name: string, count = 1): Promise<number | null> {
    const wait = await this.#together.count({
      do: 'take',
      limit: this.#limit,
      perMinute: this.#perMinute,
      name,
      count,
    });
    return wait === 0 ? null : wait;
  }
}
