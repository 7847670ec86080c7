import type { Backend } from './backend.ts';

export interface Beginning {
  loading(fraction: number): void;
  playing(isOn: boolean): void;
}

const inputs = ['pointerdown', 'keydown'] as const;
/** Browsers remember 250 files of a page by themselves. */
const rememberedFiles = 2_000;

/**
 * Tells the page once when play begins: with `playing(true)`, or with the player's first key or press in a page that has
 * loaded and does not say that it is still loading. How long it took is until it could: `playing(true)` or `loading(1)` where
 * the space says one of them before that, else the load of its page.
 */
export function watchBeginning(frame: Window & typeof globalThis, backend: Pick<Backend, 'tell'>): Beginning {
  const { performance } = frame;
  performance.setResourceTimingBufferSize?.(rememberedFiles);
  let readyMs: number | undefined;
  let isLoading = false;
  let isBegun = false;

  function begin(): void {
    if (isBegun) return;
    isBegun = true;
    for (const input of inputs) frame.removeEventListener(input, press, true);
    const loaded = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[];
    const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + (encodedBodySize || 0), 0);
    backend.tell('begun', [Math.round(readyMs ?? performance.now()), bytes]);
  }
  function press(): void {
    if (frame.document.readyState === 'complete' && !isLoading) begin();
  }
  for (const input of inputs) frame.addEventListener(input, press, true);
  frame.addEventListener('load', () => {
    if (!isLoading) readyMs ??= performance.now();
  });

  return {
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
