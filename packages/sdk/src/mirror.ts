import type { StorageChange, StorageEntries } from '@spaceport/contract/sdk-protocol';
import { charactersOf, fits, withChanges } from '@spaceport/contract/storage-mirror';

/** A `Storage` in memory, which behaves as a browser's own. */
export interface Mirror {
  readonly storage: Storage;
  entries(): StorageEntries;
  /** Applies changes that were made elsewhere, without calling `onChange`. */
  take(changes: readonly StorageChange[]): void;
}

/**
 * Returns a mirror. `like` is the browser's `Storage` class, for `instanceof`. `onChange` gets the space's
 * changes.
 */
export function createMirror(
  first: Iterable<readonly [string, string]>,
  like: object,
  onChange: (change: StorageChange) => void,
): Mirror {
  let entries = new Map(first);
  // The size is counted incrementally, because some games write in every frame.
  let characters = charactersOf(entries);

  function set(key: string, value: string): void {
    const before = entries.get(key);
    if (before === value) return;
    if (!fits(entries, characters, key, value))
      throw new DOMException(`'${key}' exceeded the quota.`, 'QuotaExceededError');
    characters += value.length - (before === undefined ? -key.length : before.length);
    entries.set(key, value);
    onChange([key, value]);
  }
  function remove(key: string): void {
    const before = entries.get(key);
    if (before === undefined) return;
    characters -= key.length + before.length;
    entries.delete(key);
    onChange([key, null]);
  }

  const methods: Record<string, unknown> = {
    // So that `in` finds these alone.
    __proto__: null,
    getItem: (key: unknown) => entries.get(String(key)) ?? null,
    setItem: (key: unknown, value: unknown) => set(String(key), String(value)),
    removeItem: (key: unknown) => remove(String(key)),
    key: (index: unknown) => [...entries.keys()][Number(index) || 0] ?? null,
    clear() {
      if (entries.size === 0) return;
      entries.clear();
      characters = 0;
      onChange(null);
    },
  };
  const target = Object.create(like);
  const isEntry = (name: string | symbol): name is string =>
    typeof name === 'string' && entries.has(name) && !(name in target) && !(name in methods);

  const storage = new Proxy(target, {
    get: (_, name) =>
      name === 'length'
        ? entries.size
        : isEntry(name)
          ? entries.get(name)
          : typeof name === 'string' && name in methods
            ? methods[name]
            : Reflect.get(target, name),
    has: (_, name) => isEntry(name) || name in target,
    set(_, name, value) {
      if (typeof name === 'symbol') return Reflect.set(target, name, value);
      set(name, String(value));
      return true;
    },
    deleteProperty(_, name) {
      if (isEntry(name)) remove(name);
      return true;
    },
    ownKeys: () => [...entries.keys()].filter(isEntry),
    getOwnPropertyDescriptor: (_, name) =>
      isEntry(name)
        ? { value: entries.get(name), writable: true, enumerable: true, configurable: true }
        : undefined,
    defineProperty(_, name, { value }) {
      set(String(name), String(value));
      return true;
    },
  }) as Storage;

  return {
    storage,
    entries: () => [...entries],
    take(changes) {
      entries = withChanges(entries, changes);
      characters = charactersOf(entries);
    },
  };
}
