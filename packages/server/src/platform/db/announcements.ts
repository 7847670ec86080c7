type Listener = (topic: string) => void;

/**
 * What transactions announced, told after their commit to whoever caches it or waits for it, on this node and on others.
 * Topics are `thing:id`.
 */
export class Announcements {
  readonly #listeners = new Map<string, Set<Listener>>();
  /** What other nodes announce is not heard now: whoever keeps something keeps nothing until it is. */
  isDeaf = false;

  /** Calls `listener` with the id of every changed `thing`, or with `*` when any may have. Returns how to stop. */
  listen(thing: string, listener: (id: string) => void): () => void {
    const wrapped: Listener = (topic) => listener(topic.slice(thing.length + 1));
    const listeners = this.#listeners.get(thing) ?? new Set();
    this.#listeners.set(thing, listeners);
    listeners.add(wrapped);
    return () => listeners.delete(wrapped);
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
