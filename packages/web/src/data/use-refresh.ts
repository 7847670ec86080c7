import { useEffect } from 'preact/compat';
import type { Loaded } from './use-load.ts';

/**
 * Repeats a request while the page is visible, each time so long after the last answer: a service that takes longer
 * than that answers all the same. With null it is not repeated.
 */
export function useRefresh(
  { loading, reload }: Pick<Loaded<unknown>, 'loading' | 'reload'>,
  everyMs: number | null,
): void {
  useEffect(() => {
    if (loading || everyMs === null) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [loading, reload, everyMs]);
}
