import { type RefObject, useLayoutEffect, useRef } from 'preact/compat';

const movementMs = 400;

/**
 * Animates rows that change places: each moves from its old place, by transform only, and new rows fade in.
 * For a list whose rows have `data-row`. Nothing moves if the reader prefers reduced motion.
 */
export function useMovingRows(): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  const tops = useRef<ReadonlyMap<string, number> | null>(null);
  useLayoutEffect(() => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const before = tops.current;
    tops.current =
      rows.length === 0 ? before : new Map(rows.map((row) => [row.dataset.row ?? '', row.offsetTop]));
    if (before === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const row of rows) {
      const from = before.get(row.dataset.row ?? '');
      if (from === row.offsetTop) continue;
      const start =
        from === undefined ? { opacity: 0 } : { transform: `translateY(${from - row.offsetTop}px)` };
      row.animate([start, {}], { duration: movementMs, easing: 'ease-out' });
    }
  });
  return list;
}
