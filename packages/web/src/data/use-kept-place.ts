import { useEffect, useLayoutEffect, useRef, useState } from 'preact/compat';
import type { Pages } from './use-pages.ts';

/** How far a list was shown and scrolled, in the state of its history entry. */
interface Place {
  /** The list: the address of the page, as a search changes it without a new document. */
  readonly list: string;
  /** The number of shown items. */
  readonly shown: number;
  /** The scroll position of the page in pixels. */
  readonly top: number;
}

/**
 * Keeps the place in a list with pages for those who come back to it, where the browser has not kept the page:
 * as many items are loaded again, and the page is scrolled to where it was left.
 * @param first the number of items of the first page
 */
export function useKeptPlace({ items, fill }: Pick<Pages<unknown>, 'items' | 'fill'>, first: number): void {
  const [top, setTop] = useState<number | null>(null);
  const shown = useRef(items.length);
  shown.current = items.length;
  const latest = useRef(fill);
  latest.current = fill;

  useEffect(() => {
    const list = listHere();
    const note = () => {
      if (shown.current > first && listHere() === list) keep({ list, shown: shown.current, top: scrollY });
    };
    addEventListener('scrollend', note);
    addEventListener('pagehide', note);
    const uses = ['pointerdown', 'wheel', 'keydown'];
    let isUsed = false;
    const use = () => {
      isUsed = true;
    };
    for (const each of uses) addEventListener(each, use, { passive: true });
    const before = keptPlace();
    if (before?.list === list && before.shown > first)
      void latest.current(before.shown).then(() => {
        // Whoever has begun to use the page stays there.
        if (!isUsed) setTop(before.top);
      });
    return () => {
      removeEventListener('scrollend', note);
      removeEventListener('pagehide', note);
      for (const each of uses) removeEventListener(each, use);
    };
  }, [first]);

  // When the items are there, before they are painted.
  useLayoutEffect(() => {
    if (top !== null) scrollTo({ top, behavior: 'instant' });
  }, [top]);
}

const listHere = () => location.pathname + location.search;

function keep(place: Place): void {
  history.replaceState({ ...history.state, place }, '');
}

function keptPlace(): Place | null {
  const { place = null } = (history.state ?? {}) as { place?: Place };
  return place;
}
