/**
 * What is kept of a space's `localStorage` where its frame has none of its own to rely on: the module in the frame, and the
 * page around it, which keeps it. Both are small scripts, so nothing here needs a library.
 */
import type { StorageChange, StorageEntries } from './sdk-protocol.ts';

/** The slot of an account in which it follows the player. It is none of those that the space has. */
export const storageSlot = '~storage';

export const storageLimits = {
  /** Of keys and values together, as browsers count theirs. */
  characters: 1024 * 1024,
  /** `sizeOf` a message's arguments: every character at its longest, and a little for what is around it. */
  messageBytes: 4 * 1024 * 1024,
  /** Packed, as a slot takes it (`maxSaveBytes`): what is more stays in its browser. */
  packedBytes: 256 * 1024,
} as const;

export type Entries = ReadonlyMap<string, string>;

export function charactersOf(entries: Entries): number {
  let sum = 0;
  for (const [key, value] of entries) sum += key.length + value.length;
  return sum;
}

/** Whether an entry fits beside the others, in the place of one of the same key. */
export function fits(entries: Entries, characters: number, key: string, value: string): boolean {
  const before = entries.get(key);
  const freed = before === undefined ? 0 : key.length + before.length;
  return characters - freed + key.length + value.length <= storageLimits.characters;
}

/**
 * The entries after these changes, in order; a change that there is no room for is left out. What is given stays as it is.
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

/** The fewest changes that do what both lists do one after the other. */
export function joined(earlier: readonly StorageChange[], later: readonly StorageChange[]): StorageChange[] {
  let isCleared = false;
  const last = new Map<string, string | null>();
  for (const change of [...earlier, ...later]) {
    if (change === null) {
      isCleared = true;
      last.clear();
    } else {
      // Behind what came before it: there may be room for it only then.
      last.delete(change[0]);
      last.set(...change);
    }
  }
  return [...(isCleared ? [null] : []), ...last];
}

export function isSame(one: Entries, other: Entries): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

/** Changes as a stranger sends them; null for what are none. */
export function readChanges(given: unknown): StorageChange[] | null {
  if (!Array.isArray(given)) return null;
  const isChange = (one: unknown): one is StorageChange => one === null || isPair(one, true);
  return given.every(isChange) ? given : null;
}

/** Entries as somebody kept them; null for what are none, or too many. */
export function readEntries(given: unknown): Map<string, string> | null {
  if (!Array.isArray(given) || !given.every((one) => isPair(one, false))) return null;
  const entries = new Map(given as StorageEntries);
  return charactersOf(entries) <= storageLimits.characters ? entries : null;
}

function isPair(one: unknown, mayBeNull: boolean): boolean {
  if (!Array.isArray(one) || one.length !== 2 || typeof one[0] !== 'string') return false;
  return typeof one[1] === 'string' || (mayBeNull && one[1] === null);
}
