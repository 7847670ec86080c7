const storageKey = 'spaceport-muted';

/** Returns whether the player has muted all games. */
export function isMuted(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'true';
  } catch {
    return false;
  }
}

export function keepMuted(muted: boolean): void {
  try {
    localStorage.setItem(storageKey, String(muted));
  } catch {
    // Storage is switched off, so the choice is for this page only.
  }
}
