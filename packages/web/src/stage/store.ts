/** An observable value outside of the components that show it. */
export interface Store<Value> {
  get(): Value;
  set(change: Partial<Value>): void;
  /** Returns a function that stops the listener. */
  subscribe(listener: () => void): () => void;
}

export function createStore<Value extends object>(first: Value): Store<Value> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(change) {
      value = { ...value, ...change };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
