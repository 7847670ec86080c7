import { useSyncExternalStore } from 'react';

const never = () => () => {};

/** False while a server draws and while the browser hydrates; true ever after. For what only a browser can show. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
