import { useCallback, useLayoutEffect, useRef } from 'preact/compat';

/**
 * Returns a function that says whether the component is still drawn, for work that ends later: a dialog that was
 * closed meanwhile must not close the one that was opened after it.
 */
export function useIsThere(): () => boolean {
  const isThere = useRef(true);
  useLayoutEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  return useCallback(() => isThere.current, []);
}
