import type { StorageChange } from '@spaceport/contract/sdk-protocol';
import { type Entries, isSame, withChanges } from '@spaceport/contract/storage-mirror';

/** What this browser keeps of a space's storage for whoever plays. */
export interface Kept {
  readonly entries: Entries;
  /** Epoch ms of the last change. */
  readonly at: number;
  /** The version of the account's that it goes out from; 0 where there was none, and for a guest. */
  readonly base: number;
  /** Changes that the account has not got. */
  readonly unsent: number;
}

/** What the account has. */
export interface Theirs {
  readonly entries: Entries;
  /** Epoch ms. */
  readonly at: number;
  readonly version: number;
  readonly device: string;
}

export const nothingKept: Kept = { entries: new Map(), at: 0, base: 0, unsent: 0 };

export function changed(kept: Kept, changes: readonly StorageChange[], now: number): Kept {
  const entries = withChanges(kept.entries, changes);
  if (isSame(entries, kept.entries)) return kept;
  return { ...kept, entries, at: now, unsent: kept.unsent + 1 };
}

/** The account has got what was sent; what was changed since then is still to be sent. */
export function sent(kept: Kept, before: Kept, version: number): Kept {
  return { ...kept, base: version, unsent: Math.max(0, kept.unsent - before.unsent) };
}

/** What somebody kept as a guest here, as what their account has not got. */
export function adopted(guest: Kept, now: number): Kept {
  return { entries: guest.entries, at: guest.at || now, base: 0, unsent: guest.entries.size > 0 ? 1 : 0 };
}

export function taken({ entries, at, version }: Theirs): Kept {
  return { entries, at, base: version, unsent: 0 };
}

/**
 * What a space begins with. `mine` and `theirs` say which of the two it is. `isConflict`: both were changed apart from each
 * other. The newer stands then, the other is kept as one that lost, and the player is told.
 */
export interface Verdict {
  readonly stands: 'mine' | 'theirs' | 'nothing';
  readonly isConflict: boolean;
}

export function reconcile(mine: Kept | null, theirs: Theirs | null): Verdict {
  if (theirs === null) {
    // What the account had and has no more was deleted: by the player, or with the sandbox.
    const isMine = mine !== null && mine.unsent > 0;
    return { stands: isMine ? 'mine' : 'nothing', isConflict: false };
  }
  if (mine === null || mine.unsent === 0 || isSame(mine.entries, theirs.entries))
    return { stands: 'theirs', isConflict: false };
  if (mine.base === theirs.version) return { stands: 'mine', isConflict: false };
  // Nothing that was never sent is nothing to lose.
  if (mine.base === 0 && mine.entries.size === 0) return { stands: 'theirs', isConflict: false };
  return { stands: mine.at > theirs.at ? 'mine' : 'theirs', isConflict: true };
}
