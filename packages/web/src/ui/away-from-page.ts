let covers = 0;
const listeners = new Set<() => void>();

/** Marks the page as covered, so that a game in a frame is paused. Returns a function that ends it. */
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

/** Returns whether the page is hidden or covered. */
export function isAwayFromPage(): boolean {
  return covers > 0 || document.visibilityState === 'hidden';
}

/** Listens for changes. Returns a function that stops it. */
export function onAwayFromPage(listener: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let isLeft = false;
  listeners.add(listener);
  addEventListener('pagehide', () => (isLeft = true), { signal });
  addEventListener('pageshow', () => (isLeft = false), { signal });
  // A page that is left is hidden, too. It stops with its frame, and Firefox does not keep a page for Back whose
  // frame gets a message afterwards.
  document.addEventListener('visibilitychange', () => isLeft || listener(), { signal });
  return () => {
    listeners.delete(listener);
    stop.abort();
  };
}

function tell(): void {
  for (const listener of listeners) listener();
}
