/**
 * A space begins to load while the document is read, long before the page's own script is there (early.ts makes its frame).
 * The page then takes the running frame over; browsers that can't move one without a restart have none to take.
 */
let early: HTMLIFrameElement | null = null;

/** Takes the frame out of what the page is about to replace. */
export function keepEarlyFrame(root: HTMLElement): void {
  early = root.querySelector<HTMLIFrameElement>('early-frame > iframe');
  if (early) document.body.moveBefore(early, null);
}

/** The frame of this address, once; null where a new one has to be made. */
export function takeEarlyFrame(address: string): HTMLIFrameElement | null {
  const frame = early;
  if (frame?.getAttribute('src') !== address) return null;
  early = null;
  return frame;
}

export function hasEarlyFrame(address: string): boolean {
  return early?.getAttribute('src') === address;
}
