/**
 * The kept `localStorage` of a space whose frame has no reliable storage. The module in the frame uses it,
 * and the page around the frame keeps it. It needs no library, because both are small scripts.
 */
import type { StorageChange, StorageEntries } from './sdk-protocol.ts';

/** The account's slot in which the storage follows the player. It is separate from the space's own slots. */
export const storageSlot = '~storage';

export const storageLimits = {
  /** Most characters of all keys and values together, counted as browsers count. */
  characters: 1024 * 1024,
  /** Largest `sizeOf` of a message's arguments: every character at its longest, and a little for the rest. */
  messageBytes: 4 * 1024 * 1024,
  /** Largest packed size, which is a slot's size (`maxSaveBytes`). Larger storage stays in its browser. */
  packedBytes: 256 * 1024,
} as const;

export type Entries = ReadonlyMap<string, string>;

export function charactersOf(entries: Entries): number {
  let sum = 0;
  for (const [key, value] of entries) sum += key.length + value.length;
  return sum;
}

/** Returns whether an entry fits beside the others, if it replaces the entry with the same key. */
export function fits(entries: Entries, characters: number, key: string, value: string): boolean {
  const before = entries.get(key);
  const freed = before === undefined ? 0 : key.length + before.length;
  return characters - freed + key.length + value.length <= storageLimits.characters;
}

/**
 * Returns the entries after these changes, in order. A change that does not fit is skipped. The arguments are
 * not changed.
 */
export function withChanges(entries: Entries, changes: readonly StorageChange[]): Map<string, string> {
  const changed = new Map(entries);
  let characters = charactersOf(changed);
  for (const change of changes) {
    if (change === null) {
      changed.clear();
      characters = 0;
      continue;
    }
    const [key, value] = change;
    if (value !== null && !fits(changed, characters, key, value)) continue;
    const before = changed.get(key);
    if (before !== undefined) characters -= key.length + before.length;
    if (value === null) changed.delete(key);
    else {
      changed.set(key, value);
      characters += key.length + value.length;
    }
  }
  return changed;
}

/** Returns the fewest changes with the same effect as both lists one after the other. */
export function joined(earlier: readonly StorageChange[], later: readonly StorageChange[]): StorageChange[] {
  let isCleared = false;
  const last = new Map<string, string | null>();
  for (const change of [...earlier, ...later]) {
    if (change === null) {
      isCleared = true;
      last.clear();
    } else {
      // The change moves to the end: it may fit only after the changes before it.
      last.delete(change[0]);
      last.set(...change);
    }
  }
  return [...(isCleared ? [null] : []), ...last];
}

export function isSame(one: Entries, other: Entries): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

/** Validates untrusted changes. Returns null if they are malformed. */
export function readChanges(given: unknown): StorageChange[] | null {
  if (!Array.isArray(given)) return null;
  const isChange = (one: unknown): one is StorageChange => one === null || isPair(one, true);
  return given.every(isChange) ? given : null;
}

/** Validates kept entries. Returns null if they are malformed or too large. */
export function readEntries(given: unknown): Map<string, string> | null {
  if (!Array.isArray(given) || !given.every((one) => isPair(one, false))) return null;
  const entries = new Map(given as StorageEntries);
  return charactersOf(entries) <= storageLimits.characters ? entries : null;
}

function isPair(one: unknown, mayBeNull: boolean): boolean {
  if (!Array.isArray(one) || one.length !== 2 || typeof one[0] !== 'string') return false;
  return typeof one[1] === 'string' || (mayBeNull && one[1] === null);
}
