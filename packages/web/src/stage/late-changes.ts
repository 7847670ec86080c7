import type { StorageChange } from '@spaceport/contract/sdk-protocol';
import { readChanges } from '@spaceport/contract/storage-mirror';

/** What a page that went away had heard of and not yet kept: written at once, where a database would come too late. */
export interface LateChanges {
  readonly changes: StorageChange[];
  /** Epoch ms. */
  readonly at: number;
}

const nameOf = (key: string) => `spaceport-late ${key}`;

/** In the place of what was left there before. */
export function leaveLate(key: string, changes: readonly StorageChange[], now: number): void {
  try {
    localStorage.setItem(nameOf(key), JSON.stringify({ changes, at: now }));
  } catch {
    // Storage is switched off, or full.
  }
}

/** Takes it away: null where nothing was left. */
export function takeLate(key: string): LateChanges | null {
  try {
    const text = localStorage.getItem(nameOf(key));
    if (text === null) return null;
    localStorage.removeItem(nameOf(key));
    const { changes, at } = JSON.parse(text);
    const read = readChanges(changes);
    return read && typeof at === 'number' ? { changes: read, at } : null;
  } catch {
    // Storage is switched off, or somebody else wrote there.
    return null;
  }
}
