/** Has the browser ask before the page is left during a run. */
export interface Leaving {
  /** Sets the number of runs that have no score yet. */
  setRuns(open: number): void;
  /** Sets whether the space says that it is being played. */
  setPlaying(isPlaying: boolean): void;
  stop(): void;
}

/**
 * Listens only while something can be lost, because a page that listens is not kept in the back/forward
 * cache.
 */
export function createLeaving(
  target: Pick<Window, 'addEventListener' | 'removeEventListener'> = window,
): Leaving {
  let runs = 0;
  let isPlaying = false;
  let isAsking = false;
  const ask = (event: Event) => event.preventDefault();
  const settle = () => {
    const shouldAsk = runs > 0 && isPlaying;
    if (shouldAsk === isAsking) return;
    isAsking = shouldAsk;
    if (isAsking) target.addEventListener('beforeunload', ask);
    else target.removeEventListener('beforeunload', ask);
  };
  return {
    setRuns(open) {
      runs = open;
      settle();
    },
    setPlaying(playing) {
      isPlaying = playing;
      settle();
    },
    stop() {
      runs = 0;
      settle();
    },
  };
}
