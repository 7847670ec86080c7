import type { Tx } from './schema.ts';

type Listener = (topic: string) => void;

/**
 * "This changed", told after the commit to whoever caches it or waits for it, on this node and on others.
 * Topics are `thing:id`. Losing one costs seconds, never a record: every listener also looks for itself.
 */
export class Announcements {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #pending = new WeakMap<Tx, Set<string>>();

  /** Inside a transaction: tell everyone once it is committed. */
  announce(tx: Tx, thing: string, id: string): void {
    this.#pending.get(tx)?.add(`${thing}:${id}`);
  }

  /** Calls `listener` with the id of every changed `thing`, or with `*` when any may have. Answers how to stop. */
  listen(thing: string, listener: (id: string) => void): () => void {
    const wrapped: Listener = (topic) => listener(topic.slice(thing.length + 1));
    const listeners = this.#listeners.get(thing) ?? new Set();
    this.#listeners.set(thing, listeners);
    listeners.add(wrapped);
    return () => listeners.delete(wrapped);
  }

  pending(tx: Tx): Iterable<string> {
    return this.#pending.get(tx) ?? [];
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

  /** Runs a transaction, collecting what its work announces, and delivers that after the commit. */
  async collecting<T>(
    run: (collect: <R>(tx: Tx, work: (tx: Tx) => Promise<R>) => Promise<R>) => Promise<T>,
  ): Promise<T> {
    let topics = new Set<string>();
    const result = await run((tx, work) => {
      topics = new Set();
      this.#pending.set(tx, topics);
      return work(tx);
    });
    this.deliver(topics);
    return result;
  }
}
