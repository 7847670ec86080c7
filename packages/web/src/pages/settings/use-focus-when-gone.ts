import { type RefObject, useLayoutEffect, useRef } from 'preact/compat';

/**
 * Moves the focus when a dialog closes and the button that opened it was removed with its row. Attach the ref
 * to a focusable element that stays.
 */
export function useFocusWhenGone<Kind extends HTMLElement>(isOpen: boolean): RefObject<Kind | null> {
  const stays = useRef<Kind>(null);
  const wasOpen = useRef(false);
  // As soon as the row is gone: after the next frames the focus is moved to what is near (keep-focus-near.ts).
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) stays.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return stays;
}
