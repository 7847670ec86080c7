import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False while the server draws and the browser hydrates, then true: for what only a browser can show. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
