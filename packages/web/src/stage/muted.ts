const storageKey = 'spaceport-muted';

/** Whether the player wants no sound, in whatever they play. */
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
    // Storage is switched off: it is so for this page.
  }
}
