/**
 * Returns whether the service answers. A script that could not be loaded then needs a new document: the service
 * was updated since this one was sent, or the browser keeps the failure.
 */
export function needsNewDocument(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
