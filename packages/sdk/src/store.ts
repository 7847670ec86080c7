/** The browser's storage for an origin, or memory if the browser refuses it. Values are JSON. */
export interface Store {
  get<T>(name: string, otherwise: T): T;
  /** @throws the browser's error if its storage is full */
  set(name: string, value: unknown): void;
  remove(name: string): void;
}

/** Prefix of the module's own entries in a space's storage. */
export const ownPrefix = 'spaceport/';

/**
 * `find` returns the storage. It is a function because reading `localStorage` throws in a frame that is
 * refused it.
 */
export function openStore(find: () => Storage): Store {
  const memory = new Map<string, string>();
  let kept: Storage | undefined;
  try {
    kept = find();
    kept.getItem(ownPrefix);
  } catch {
    kept = undefined;
  }
  return {
    get(name, otherwise) {
      const text = kept ? kept.getItem(ownPrefix + name) : memory.get(name);
      try {
        return text ? JSON.parse(text) : otherwise;
      } catch {
        // The entry was not written by this module.
        return otherwise;
      }
    },
    set(name, value) {
      if (kept) kept.setItem(ownPrefix + name, JSON.stringify(value));
      else memory.set(name, JSON.stringify(value));
    },
    remove(name) {
      if (kept) kept.removeItem(ownPrefix + name);
      else memory.delete(name);
    },
  };
}
