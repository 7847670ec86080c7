/**
 * The whole screen for one element. Where the browser gives it to videos only (iPhones), the element fills the window by
 * its class alone: the promise is fulfilled all the same.
 */
export async function fillScreen(element: HTMLElement | null): Promise<void> {
  if (!element?.requestFullscreen) return;
  await element.requestFullscreen({ navigationUI: 'hide' }).catch(() => {
    // Refused: the window has to do.
  });
}
