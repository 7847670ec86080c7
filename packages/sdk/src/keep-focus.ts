/**
 * How long after an element its page may lose the focus, if both lose it for one reason. The browser tells
 * the page of the two one right after the other.
 */
const atOnceMs = 100;

/**
 * Gives the focus back to the element that had it when the page around the frame took the focus, as soon as
 * the frame is focused again. In Chromium a frame of another process then has no focused element, and a game
 * that listens to keys on its canvas would be deaf until it is clicked. An element that lost the focus within
 * the frame stays without it.
 */
export function keepFocus(frame: Window): void {
  let left: { readonly target: EventTarget | null; readonly timeStamp: number } | null = null;
  const { document } = frame;
  frame.addEventListener('focusout', ({ target, timeStamp }) => (left = { target, timeStamp }), true);
  frame.addEventListener('focusin', () => (left = null), true);
  frame.addEventListener('blur', ({ target, timeStamp }) => {
    if (target === frame && left && timeStamp - left.timeStamp > atOnceMs) left = null;
  });
  frame.addEventListener('focus', ({ target }) => {
    if (target !== frame || !left) return;
    const { activeElement } = document;
    const { target: last } = left;
    left = null;
    if (activeElement === null || activeElement === document.body)
      (last as HTMLElement).focus?.({ preventScroll: true });
  });
}
