type Listener = (topic: string) => void;

/**
 * What transactions announced, told after their commit to whoever caches it or waits for it, on this node and on others.
 * Topics are `thing:id`.
 */
export class Announcements {
  readonly #listeners = new Map<string, Set<Listener>>();
  /** What other nodes announce is not heard now: whoever keeps something keeps nothing until it is. */
  isDeaf = false;
  #tellOthers: (topics: readonly string[]) => Promise<void> = async () => {};

  /** Calls `listener` with the id of every changed `thing`, or with `*` when any may have. Returns how to stop. */
  listen(thing: string, listener: (id: string) => void): () => void {
    const wrapped: Listener = (topic) => listener(topic.slice(thing.length + 1));
    const listeners = this.#listeners.get(thing) ?? new Set();
    this.#listeners.set(thing, listeners);
    listeners.add(wrapped);
    return () => listeners.delete(wrapped);
  }

  /** Has the other processes of this server told, before a change is acknowledged. `tell` never rejects. */
  alsoTell(tell: (topics: readonly string[]) => Promise<void>): void {
    this.#tellOthers = tell;
  }

  /** Of a transaction of this process. Resolves once no process of this server keeps what was before. */
  async committed(topics: ReadonlySet<string>): Promise<void> {
    this.deliver(topics);
    // Whoever looks for jobs may learn of them a moment later.
    const told = [...topics].filter((topic) => !topic.startsWith('jobs:'));
    if (told.length > 0) await this.#tellOthers(told);
  }

  deliver(topics: Iterable<string>): void {
    for (const topic of topics) {
      const thing = topic.slice(0, topic.indexOf(':'));
      for (const listener of this.#listeners.get(thing) ?? []) listener(topic);
    }
  }

  deliverEverything(): void {
    for (const [thing, listeners] of this.#listeners) {
      for (const listener of listeners) listener(`${thing}:*`);
    }
  }
}
