import type { Backend } from './backend.ts';

export interface Beginning {
  loading(fraction: number): void;
  playing(isOn: boolean): void;
  /** Watches a nested page of the space, too. */
  watch(nested: Window): void;
}

const inputs = ['pointerdown', 'keydown'] as const;
/** Entries of the browser's resource timing buffer, which has 250 by default. */
const rememberedFiles = 2_000;

/**
 * Tells the page once when play begins: with `playing(true)`, or with the player's first key or press in a
 * page that has loaded and is not still `loading`. The time to play ends with the first `playing(true)` or
 * `loading(1)` before that, or else when the page has loaded.
 */
export function watchBeginning(frame: Window & typeof globalThis, backend: Pick<Backend, 'tell'>): Beginning {
  const { performance } = frame;
  const watched: Window[] = [];
  let readyMs: number | undefined;
  let isLoading = false;
  let isBegun = false;

  function begin(): void {
    if (isBegun) return;
    isBegun = true;
    for (const each of watched) for (const input of inputs) each.removeEventListener(input, press, true);
    const loaded = watched.flatMap(
      (each) =>
        [
          ...each.performance.getEntriesByType('navigation'),
          ...each.performance.getEntriesByType('resource'),
        ] as PerformanceResourceTiming[],
    );
    const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + (encodedBodySize || 0), 0);
    backend.tell('begun', [Math.round(readyMs ?? performance.now()), bytes]);
  }
  function press(): void {
    if (frame.document.readyState === 'complete' && !isLoading) begin();
  }
  function watch(each: Window): void {
    if (isBegun) return;
    each.performance.setResourceTimingBufferSize?.(rememberedFiles);
    watched.push(each);
    for (const input of inputs) each.addEventListener(input, press, true);
  }
  watch(frame);
  frame.addEventListener('load', () => {
    if (!isLoading) readyMs ??= performance.now();
  });

  return {
    watch,
    loading(fraction) {
      isLoading = fraction < 1;
      readyMs = isLoading ? undefined : performance.now();
    },
    playing(isOn) {
      if (!isOn) return;
      if (!isBegun) readyMs = performance.now();
      begin();
    },
  };
}
