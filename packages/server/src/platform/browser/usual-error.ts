/**
 * Errors of pages that browsers raise by their own rules, and after which a page goes on: sound that waits for the
 * first click or key, a service worker that a frame of another site may not have, a late look at sizes, and a Flash
 * film for which there is no plugin, before Ruffle plays it.
 */
const usual = [
  /play\(\) failed because the user didn't interact|play\(\) request was interrupted/u,
  /AudioContext was not allowed to start|play method is not allowed by the user agent/u,
  /user denied permission to use Service Worker/u,
  /^Loading plugin data from '[^'?#]{1,1000}\.swf\b/iu,
  /^(?:Uncaught )?(?:Error: )?ResizeObserver loop (?:completed with|limit exceeded)/u,
];

/** Returns whether the text is of an error that players never notice, and that nobody has to mend. */
export function isUsualError(text: string): boolean {
  return usual.some((pattern) => pattern.test(text));
}
