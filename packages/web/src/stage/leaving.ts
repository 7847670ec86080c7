/** Asks before the page is left while a run is under way. */
export interface Leaving {
  /** Runs that were begun and have no score yet. */
  setRuns(open: number): void;
  /** What the space says of itself. */
  setPlaying(isPlaying: boolean): void;
  stop(): void;
}

/** Listens only as long as there is something to lose: a page that listens is not kept for the way back. */
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
