let covers = 0;
const listeners = new Set<() => void>();

/** Something of ours lies over the page from now on: what runs in a frame is told to wait. Returns how it goes again. */
export function coverPage(): () => void {
  covers += 1;
  tell();
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    covers -= 1;
    tell();
  };
}

/** Hidden, or covered by something of ours. */
export function isAwayFromPage(): boolean {
  return covers > 0 || document.visibilityState === 'hidden';
}

/** Returns how to stop. */
export function onAwayFromPage(listener: () => void): () => void {
  listeners.add(listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    listeners.delete(listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

function tell(): void {
  for (const listener of listeners) listener();
}
