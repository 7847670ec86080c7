/**
 * Lets the player leave the frame by keyboard: with Escape, and then Tab. Many games prevent what each key does, so
 * that Tab alone stays with them (WCAG 2.1.2). The game does not hear the Tab that leaves.
 */
export function leaveByKeys(frame: Pick<Window, 'addEventListener'>): void {
  let isLeaving = false;
  frame.addEventListener(
    'keydown',
    (event) => {
      // Back is Shift+Tab.
      if (event.key === 'Shift') return;
      if (event.key === 'Tab' && isLeaving) event.stopImmediatePropagation();
      else isLeaving = event.key === 'Escape';
    },
    // The module runs before the game, so nothing of the game hears a key earlier.
    true,
  );
}
