import type { StorageChange, StorageEntries } from '@spaceport/contract/sdk-protocol';
import { charactersOf, fits, withChanges } from '@spaceport/contract/storage-mirror';

/** A `Storage` in memory, which behaves as a browser's own. */
export interface Mirror {
  readonly storage: Storage;
  entries(): StorageEntries;
  /** Applies changes that were made elsewhere, without calling `onChange`. */
  take(changes: readonly StorageChange[]): void;
}

type Method = (this: unknown, ...given: never[]) => unknown;
type Methods = Readonly<Record<string, Method>>;

/** The methods of each mirror, by its storage. */
const mirrors = new WeakMap<object, Methods>();
const classes = new WeakSet<object>();

/**
 * Lets the methods of the browser's class work on mirrors, too. Spaces call them by the class, and replace them
 * to hear what is written, as they do with a browser's own storage.
 */
function teach(like: object, names: readonly string[]): void {
  if (classes.has(like)) return;
  classes.add(like);
  for (const name of names) {
    const own: Method | undefined = Reflect.get(like, name);
    const value = function (this: object, ...given: never[]) {
      return (mirrors.get(this)?.[name] ?? own)?.apply(this, given);
    };
    Object.defineProperty(like, name, { value, configurable: true, enumerable: true, writable: true });
  }
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

  const methods: Methods = {
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
  teach(like, Object.keys(methods));
  const target = Object.create(like);
  const isEntry = (name: string | symbol): name is string =>
    typeof name === 'string' && entries.has(name) && !(name in target);

  const storage = new Proxy(target, {
    get: (_, name) =>
      name === 'length' ? entries.size : isEntry(name) ? entries.get(name) : Reflect.get(target, name),
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

  mirrors.set(storage, methods);
  return {
    storage,
    entries: () => [...entries],
    take(changes) {
      entries = withChanges(entries, changes);
      characters = charactersOf(entries);
    },
  };
}
