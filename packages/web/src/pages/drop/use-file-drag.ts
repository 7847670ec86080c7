import { useLayoutEffect, useRef, useState } from 'preact/compat';
import { collectDrop, type Dropped } from './collect.ts';

/**
 * Accepts files dropped anywhere on the page; refuses them if `onDropped` is null. The browser would open them
 * in place of the page. Returns whether files that are accepted are being dragged over it.
 */
export function useFileDrag(onDropped: ((dropped: () => Promise<Dropped>) => void) | null): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onDropped);
  latest.current = onDropped;
  // After the next frame a drop could come before it, which the browser would open.
  useLayoutEffect(() => {
    // The event for entering a child comes before leaving its parent, so entered elements are counted.
    let entered = 0;
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      entered++;
      setOver(true);
    };
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = latest.current ? 'copy' : 'none';
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      entered--;
      if (entered <= 0) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      entered = 0;
      setOver(false);
      if (!latest.current) return;
      // During the event, because the data is gone afterwards.
      const collected = collectDrop(event.dataTransfer);
      latest.current(() => collected);
    };
    const listeners = { dragenter: enter, dragover: over, dragleave: leave, drop } as const;
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name as 'drop', listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name as 'drop', listener);
    };
  }, []);
  return isOver && onDropped !== null;
}
