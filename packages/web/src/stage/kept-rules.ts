import type { StorageChange } from '@spaceport/contract/sdk-protocol';
import { type Entries, isSame, withChanges } from '@spaceport/contract/storage-mirror';

/** A space's storage for a player, as this browser keeps it. */
export interface Kept {
  readonly entries: Entries;
  /** Epoch ms of the last change. */
  readonly at: number;
  /** The version of the account's storage that it is based on; 0 if there was none, and for a guest. */
  readonly base: number;
  /** Number of changes that the account does not have. */
  readonly unsent: number;
  /** The write to the account that is not answered yet; null if there is none. */
  readonly sending: Sending | null;
}

/** A write to the account without an answer. The account may have it. */
export interface Sending {
  readonly entries: Entries;
  /** The version that it replaces. */
  readonly base: number;
  /** Number of the unsent changes that are in it. */
  readonly unsent: number;
}

/** The account's storage. */
export interface Theirs {
  readonly entries: Entries;
  /** Epoch ms, by this browser's clock. */
  readonly at: number;
  readonly version: number;
  readonly device: string;
}

export const nothingKept: Kept = { entries: new Map(), at: 0, base: 0, unsent: 0, sending: null };

export function changed(kept: Kept, changes: readonly StorageChange[], now: number): Kept {
  const entries = withChanges(kept.entries, changes);
  if (isSame(entries, kept.entries)) return kept;
  return { ...kept, entries, at: now, unsent: kept.unsent + 1 };
}

/** Returns the state with a write of all changes to the account. A write that is not answered goes on. */
export function begun(kept: Kept): Kept {
  if (kept.unsent === 0 || kept.sending) return kept;
  const { entries, base, unsent } = kept;
  return { ...kept, sending: { entries, base, unsent } };
}

/** Returns the state after the answer to a write. Changes since its begin are still unsent. */
export function sent(kept: Kept, version: number): Kept {
  // The storage was replaced meanwhile.
  if (!kept.sending) return kept;
  return { ...kept, base: version, unsent: kept.unsent - kept.sending.unsent, sending: null };
}

/** Returns the state after a write that the service has refused. */
export function refused(kept: Kept): Kept {
  return { ...kept, sending: null };
}

/** Returns a guest's storage as unsent changes of the account. */
export function adopted(guest: Kept, now: number): Kept {
  const { entries, at } = guest;
  return { ...nothingKept, entries, at: at || now, unsent: entries.size > 0 ? 1 : 0 };
}

export function taken({ entries, at, version }: Omit<Theirs, 'device'>): Kept {
  return { entries, at, base: version, unsent: 0, sending: null };
}

/**
 * The storage that a space begins with: this browser's (`mine`) or the account's (`theirs`). With
 * `isConflict` both were changed independently. Then the newer one is used, the other is kept as a losing
 * save, and the player is told.
 */
export interface Verdict {
  readonly stands: 'mine' | 'theirs' | 'nothing';
  readonly isConflict: boolean;
}

export function reconcile(mine: Kept | null, theirs: Theirs | null): Verdict {
  if (theirs === null) {
    // The account's storage was deleted, by the player or with the sandbox.
    const isMine = mine !== null && mine.unsent > 0;
    return { stands: isMine ? 'mine' : 'nothing', isConflict: false };
  }
  if (mine === null || mine.unsent === 0 || isSame(mine.entries, theirs.entries))
    return { stands: 'theirs', isConflict: false };
  // The account has what this browser sent, and no answer came.
  const hasSent = mine.sending !== null && isSame(mine.sending.entries, theirs.entries);
  if (mine.base === theirs.version || hasSent) return { stands: 'mine', isConflict: false };
  // An empty storage that was never sent is no loss.
  if (mine.base === 0 && mine.entries.size === 0) return { stands: 'theirs', isConflict: false };
  return { stands: mine.at > theirs.at ? 'mine' : 'theirs', isConflict: true };
}
