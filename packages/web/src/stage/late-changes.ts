import type { StorageChange } from '@spaceport/contract/sdk-protocol';
import { readChanges } from '@spaceport/contract/storage-mirror';

/**
 * Changes that a closing page had received but not kept. They are written synchronously; a database would be
 * too late.
 */
export interface LateChanges {
  readonly changes: StorageChange[];
  /** Epoch ms. */
  readonly at: number;
}

const nameOf = (key: string) => `spaceport-late ${key}`;

/** Writes the changes, in place of earlier ones. */
export function leaveLate(key: string, changes: readonly StorageChange[], now: number): void {
  try {
    localStorage.setItem(nameOf(key), JSON.stringify({ changes, at: now }));
  } catch {
    // Storage is switched off, or full.
  }
}

/** Reads and deletes the changes. Returns null if there are none. */
export function takeLate(key: string): LateChanges | null {
  try {
    const text = localStorage.getItem(nameOf(key));
    if (text === null) return null;
    localStorage.removeItem(nameOf(key));
    const { changes, at } = JSON.parse(text);
    const read = readChanges(changes);
    return read && typeof at === 'number' ? { changes: read, at } : null;
  } catch {
    // Storage is switched off, or has other content.
    return null;
  }
}
