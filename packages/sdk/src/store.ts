/** What a browser keeps for an origin, or memory where it refuses. Values are JSON. */
export interface Store {
  get<T>(name: string, otherwise: T): T;
  /** @throws what the browser throws where its storage is full */
  set(name: string, value: unknown): void;
  remove(name: string): void;
}

/** Of what the module itself keeps in a space's storage. */
export const ownPrefix = 'spaceport/';

/** `find` gives the storage: even asking for it throws in a frame whose browser keeps nothing. */
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
        // Somebody else wrote there.
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
