/** The site and the network that work is done for. Neither can keep others from their turn. */
export interface Asker {
  readonly site: string;
  readonly network: string;
}

interface Waiting {
  readonly by: Asker;
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

export class NoTurn extends Error {}

/**
 * Runs a few pieces of work at a time; the others wait. The next one is the oldest whose site and network
 * have no work running, else the oldest whose site has none, else the oldest. If too many wait, the newest of
 * the network with the most is refused.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  readonly #running = new Set<Asker>();
  #waiting: Waiting[] = [];

  constructor(atOnce: number, maxWaiting: number) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs the work when it is its turn.
   * @throws `NoTurn` if too many wait, and what the work throws
   */
  async run<T>(by: Asker, work: () => Promise<T>): Promise<T> {
    if (this.#running.size < this.#atOnce) this.#running.add(by);
    else await this.#wait(by);
    try {
      return await work();
    } finally {
      this.#running.delete(by);
      this.#startNext();
    }
  }

  #wait(by: Asker): Promise<void> {
    const turn = Promise.withResolvers<void>();
    this.#waiting.push({ by, start: turn.resolve, refuse: turn.reject });
    if (this.#waiting.length > this.#maxWaiting) this.#refuseOne();
    return turn.promise;
  }

  #startNext(): void {
    const running = [...this.#running];
    const sites = new Set(running.map(({ site }) => site));
    const networks = new Set(running.map(({ network }) => network));
    const next =
      this.#waiting.find(({ by }) => !sites.has(by.site) && !networks.has(by.network)) ??
      this.#waiting.find(({ by }) => !sites.has(by.site)) ??
      this.#waiting[0];
    if (!next) return;
    this.#waiting = this.#waiting.filter((other) => other !== next);
    this.#running.add(next.by);
    next.start();
  }

  #refuseOne(): void {
    const counts = new Map<string, number>();
    for (const { by } of this.#waiting) counts.set(by.network, (counts.get(by.network) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const last = this.#waiting.findLast(({ by }) => counts.get(by.network) === most);
    this.#waiting = this.#waiting.filter((other) => other !== last);
    last?.refuse(new NoTurn('too much waits to be unpacked'));
  }
}
