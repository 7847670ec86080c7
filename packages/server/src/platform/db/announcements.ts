type Listener = (topic: string) => void;

/**
 * Delivers what transactions announced, after their commit, to the listeners on this node and on others:
 * caches, and code that waits for a change. Topics are `thing:id`.
 */
export class Announcements {
  readonly #listeners = new Map<string, Set<Listener>>();
  /**
   * True while announcements of other nodes cannot be received. A cache that trusts them for longer than some
   * seconds must keep nothing until it is false again.
   */
  isDeaf = false;
  #tellOthers: (topics: readonly string[]) => Promise<void> = async () => {};

  /**
   * Calls `listener` with the id of every changed `thing`, or with `*` if any of them may have changed.
   * Returns a function that stops it.
   */
  listen(thing: string, listener: (id: string) => void): () => void {
    const wrapped: Listener = (topic) => listener(topic.slice(thing.length + 1));
    const listeners = this.#listeners.get(thing) ?? new Set();
    this.#listeners.set(thing, listeners);
    listeners.add(wrapped);
    return () => listeners.delete(wrapped);
  }

  /**
   * Sets the function that tells the other processes of this server before a change is acknowledged. It must
   * never reject.
   */
  alsoTell(tell: (topics: readonly string[]) => Promise<void>): void {
    this.#tellOthers = tell;
  }

  /**
   * Delivers the topics of a transaction of this process. Resolves once no process of this server keeps the
   * old state.
   */
  async committed(topics: ReadonlySet<string>): Promise<void> {
    this.deliver(topics);
    // Job topics are not waited for: workers in other processes may hear of a job a moment later.
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
