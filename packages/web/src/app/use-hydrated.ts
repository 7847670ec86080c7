import { useSyncExternalStore } from 'preact/compat';

const never = () => () => {};

/**
 * Returns false while the server renders and the browser hydrates, then true. For content that only a browser
 * can show.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
