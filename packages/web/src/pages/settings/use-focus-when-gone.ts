import { type RefObject, useEffect, useRef } from 'react';

/**
 * Where the focus goes when a dialog closes and what it was opened from is gone with what was removed. Give the ref to
 * something that stays and can be focused.
 */
export function useFocusWhenGone<Kind extends HTMLElement>(isOpen: boolean): RefObject<Kind | null> {
  const stays = useRef<Kind>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen && document.activeElement === document.body) stays.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return stays;
}
