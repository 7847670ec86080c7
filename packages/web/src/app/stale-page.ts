const key = 'reloaded-for';

/**
 * Reloads the page after a chunk was not found, because the service was updated since the document was sent.
 * A new document names the new chunks. It reloads only once, so that a service without its files does not
 * reload for ever.
 */
export function reloadOnce(error: unknown): Promise<never> {
  const already = sessionStorage.getItem(key) === location.href;
  if (already) throw error;
  sessionStorage.setItem(key, location.href);
  location.reload();
  // Nothing is rendered until the new document has loaded.
  return new Promise(() => {});
}
