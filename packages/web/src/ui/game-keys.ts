/**
 * The keyboard focus belongs to the game. A frame that is focused before it has navigated loses the focus in
 * its new process, although the page still names it as the active element. So it is focused after each
 * navigation.
 */
let game: HTMLIFrameElement | null = null;
/** Whether the reader last used a pointer. After keyboard use, focus returns to where it came from. */
let byPointer = true;

/**
 * A new process may not take the focus at once, although its frame is then the active element. It is tried again
 * after so many drawn frames each; not for long, since that takes the focus from a frame inside the game.
 */
const framesBetween = [2, 8, 32] as const;

/**
 * Keeps the focus in this frame from now on, as soon as it has navigated. Returns a function that stops it.
 */
export function keepKeysIn(frame: HTMLIFrameElement): () => void {
  game = frame;
  const stop = new AbortController();
  const { signal } = stop;
  // Does not wait for `load`, because a game can be played while its last files load.
  const whenThere = () => {
    if (signal.aborted) return;
    if (!isThere(frame)) return void requestAnimationFrame(whenThere);
    giveKeys();
    giveKeysAfter(framesBetween, signal);
  };
  whenThere();
  frame.addEventListener('load', giveKeys, { signal });
  // The window has the focus again, but the frame does not know.
  addEventListener('focus', () => document.activeElement === frame && giveKeys(), { signal });
  addEventListener('click', ({ detail }) => (byPointer = detail > 0), { signal, capture: true });
  addEventListener('toggle', handBackFrom, { signal, capture: true });
  return () => {
    stop.abort();
    if (game === frame) game = null;
  };
}

/**
 * Called when a dialog or menu has closed, or a size was chosen. If that was done with a pointer, the game gets the
 * focus.
 */
export function handBackKeys(): void {
  if (byPointer) playOn();
}

/** Returns the focus to the game after a button of its stage was pressed. */
export function playOn(): void {
  if (!game) return;
  const { activeElement: pressed } = document;
  // A frame in another process hears a moment later that no dialog covers it any more, and takes no focus
  // before. A game that has it keeps it meanwhile: keys are lost between.
  requestAnimationFrame(() => {
    const isLeft = pressed instanceof HTMLElement && pressed !== game && document.activeElement === pressed;
    if (isLeft) pressed.blur();
    requestAnimationFrame(giveKeys);
  });
}

/** Called when a menu was closed, but not by pressing something else on the page. */
function handBackFrom(event: Event): void {
  if (!(event instanceof ToggleEvent) || event.newState !== 'closed') return;
  if (!(event.target instanceof HTMLElement) || !event.target.popover) return;
  const { activeElement } = document;
  const opener = event.target.id && `[popovertarget="${CSS.escape(event.target.id)}"]`;
  if (activeElement === document.body || (opener && activeElement?.matches(opener))) handBackKeys();
}

/** Focuses the game after each of these numbers of drawn frames. */
function giveKeysAfter([frames, ...later]: readonly number[], signal: AbortSignal): void {
  if (frames === undefined) return;
  const wait = (left: number) => {
    if (signal.aborted) return;
    if (left > 0) return void requestAnimationFrame(() => wait(left - 1));
    giveKeys();
    giveKeysAfter(later, signal);
  };
  wait(frames);
}

/** Focuses the game, unless the reader uses another part of the page. */
export function giveKeys(): void {
  const { activeElement } = document;
  const isFree = activeElement === null || activeElement === document.body || activeElement === game;
  if (!game || !isFree || !isThere(game)) return;
  // Focusing the active element has no effect, even if the frame's document has lost the focus. Its window
  // takes it, and leaves it with the element that the game gave it to; blurring the frame would take it away.
  if (activeElement === game) game.contentWindow?.focus();
  else game.focus({ preventScroll: true });
}

/** Returns whether the frame shows the game: then its document is of another origin and not accessible. */
function isThere(frame: HTMLIFrameElement): boolean {
  return frame.contentDocument === null;
}
