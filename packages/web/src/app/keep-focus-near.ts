const part = 'section, [role="tabpanel"], main';

/**
 * Moves the focus to the part of the page from which an element was removed that had it, such as a button in the
 * row that it deleted. Else the focus is nowhere, and a screen reader starts at the top of the page.
 */
export function keepFocusNear(page: Element): void {
  /** The element that has the focus, and those around it. */
  let path: readonly Element[] = [];
  page.addEventListener('focusin', ({ target }) => {
    path = [];
    for (let each = target instanceof Element ? target : null; each; each = each.parentElement)
      path = [...path, each];
  });
  // Somebody who points elsewhere has left the element.
  page.addEventListener('pointerdown', () => (path = []));

  const move = () => {
    // A game takes the focus itself.
    if (!isLost() || document.querySelector('iframe')) return;
    const left = path.find((each) => each.isConnected && each.matches(part));
    if (!(left instanceof HTMLElement)) return;
    if (!left.hasAttribute('tabindex')) left.tabIndex = -1;
    left.focus({ preventScroll: true });
  };
  const isLost = () => path[0]?.isConnected === false && document.activeElement === document.body;
  new MutationObserver(() => {
    // What removed it may have a better place for the focus, which it gets after the next frame.
    if (isLost()) requestAnimationFrame(() => requestAnimationFrame(move));
  }).observe(page, { childList: true, subtree: true });
}
