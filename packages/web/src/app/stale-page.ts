const key = 'reloaded-for';

/**
 * A chunk of this page is not there any more: the service was updated since the document was sent. A fresh document
 * names the new ones; once, so that a service without its files does not reload for ever.
 */
export function reloadOnce(error: unknown): Promise<never> {
  const already = sessionStorage.getItem(key) === location.href;
  if (already) throw error;
  sessionStorage.setItem(key, location.href);
  location.reload();
  // Nothing is drawn until the new document is there.
  return new Promise(() => {});
}
