import type { StageStore } from './stage-state.ts';

/** A space that celebrates all the time is shown to once in so long. */
const celebrationMs = 2_000;

/** What a space asks our page to show of it, and no more than that: nothing here is an answer. */
export interface Signs {
  /** Another load of the frame has said hello. */
  forget(): void;
  /** A fraction from 0 to 1, as far as it is one: it comes from a stranger. */
  loading(fraction: unknown): void;
  playing(isPlaying: boolean): void;
  celebrate(): void;
}

/** `now` in milliseconds, never going back. */
export function createSigns(store: StageStore, now: () => number): Signs {
  let celebratedAt = Number.NEGATIVE_INFINITY;
  const show = (loaded: number | null) => {
    if (store.get().loaded !== loaded) store.set({ loaded });
  };
  return {
    forget: () => show(null),
    loading(fraction) {
      const isPart = typeof fraction === 'number' && fraction >= 0 && fraction < 1;
      show(isPart ? fraction : null);
    },
    playing(isPlaying) {
      if (isPlaying) show(null);
    },
    celebrate() {
      if (now() - celebratedAt < celebrationMs) return;
      celebratedAt = now();
      store.set({ celebrations: store.get().celebrations + 1 });
    },
  };
}
