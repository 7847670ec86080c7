/**
 * Shows one element full-screen. If the browser allows that for videos only (iPhones), the element fills the
 * window by its class, and the promise resolves too.
 */
export async function fillScreen(element: HTMLElement | null): Promise<void> {
  if (!element?.requestFullscreen) return;
  await element.requestFullscreen({ navigationUI: 'hide' }).catch(() => {
    // The browser refused, so the element only fills the window.
  });
}
