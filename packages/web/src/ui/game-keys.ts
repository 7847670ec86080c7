/**
 * Keys are the game's. A frame that is focused before it has navigated loses the focus to its new process, while the page
 * goes on to name it as its active element; so it is focused once its document is there, and again at each one.
 */
let game: HTMLIFrameElement | null = null;
/** Whether the reader last pressed with a pointer; by keyboard, focus goes back to where it came from. */
let byPointer = true;

/** Gives the keys to this frame from now on, as soon as it has navigated. Returns how to stop. */
export function keepKeysIn(frame: HTMLIFrameElement): () => void {
  game = frame;
  const stop = new AbortController();
  const { signal } = stop;
  // Not by its `load`: a game is played while its last files are on their way.
  const whenThere = () => {
    if (signal.aborted) return;
    if (isThere(frame)) giveKeys();
    else requestAnimationFrame(whenThere);
  };
  whenThere();
  frame.addEventListener('load', giveKeys, { signal });
  // The window is in front again, and the frame does not know of it.
  addEventListener('focus', () => document.activeElement === frame && giveKeys(), { signal });
  addEventListener('click', ({ detail }) => (byPointer = detail > 0), { signal, capture: true });
  addEventListener('toggle', handBackFrom, { signal, capture: true });
  return () => {
    stop.abort();
    if (game === frame) game = null;
  };
}

/** A dialog or menu has closed: whoever opened it with a pointer goes on playing. */
export function handBackKeys(): void {
  if (byPointer) playOn();
}

/** Gives the keys back to the game after a button of its stage was pressed. */
export function playOn(): void {
  if (!game) return;
  const { activeElement: pressed } = document;
  // React gives the focus back to what had it before a commit; and a frame in another process hears a moment later that no
  // dialog covers it any more, and takes no focus before. A game that has it keeps it meanwhile: keys are lost between.
  requestAnimationFrame(() => {
    const isLeft = pressed instanceof HTMLElement && pressed !== game && document.activeElement === pressed;
    if (isLeft) pressed.blur();
    requestAnimationFrame(giveKeys);
  });
}

/** A menu was closed, and not by pressing something else on the page. */
function handBackFrom(event: Event): void {
  if (!(event instanceof ToggleEvent) || event.newState !== 'closed') return;
  if (!(event.target instanceof HTMLElement) || !event.target.popover) return;
  const { activeElement } = document;
  const opener = event.target.id && `[popovertarget="${CSS.escape(event.target.id)}"]`;
  if (activeElement === document.body || (opener && activeElement?.matches(opener))) handBackKeys();
}

/** Focuses the game, unless the reader is at something else of the page. */
function giveKeys(): void {
  const { activeElement } = document;
  const isFree = activeElement === null || activeElement === document.body || activeElement === game;
  if (!game || !isFree || !isThere(game)) return;
  // A frame that has the focus is not focused again, even if its document does not know that it has it.
  if (activeElement === game) game.blur();
  game.focus({ preventScroll: true });
}

/** True once the frame shows the game: its document is then of another origin, and out of reach. */
function isThere(frame: HTMLIFrameElement): boolean {
  return frame.contentDocument === null;
}
