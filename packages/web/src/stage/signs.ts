import type { StageStore } from './stage-state.ts';

/** Shortest time between two celebrations that are shown. */
const celebrationMs = 2_000;

/** The space's requests to show something on our page. They have no answers. */
export interface Signs {
  /** Resets the state, because the frame has loaded again. */
  forget(): void;
  /** Sets the progress of loading, from 0 to 1. The value is not trusted. */
  loading(fraction: unknown): void;
  playing(isPlaying: boolean): void;
  celebrate(): void;
}

/** `now` returns milliseconds of a clock that never goes back. */
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
