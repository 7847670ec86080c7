import { useLayoutEffect, useSyncExternalStore } from 'preact/compat';
import { useDocument } from './app.tsx';

const changed = 'address-changed';

function subscribe(listener: () => void): () => void {
  addEventListener('popstate', listener);
  addEventListener(changed, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(changed, listener);
  };
}

/**
 * A value of the address's query with its setter: for tabs and filters, which links and the back button keep.
 */
export function useQueryValue(name: string, fallback: string): [string, (value: string) => void] {
  const { path } = useDocument();
  const search = useSyncExternalStore(
    subscribe,
    () => location.search,
    () => searchOf(path),
  );
  const value = new URLSearchParams(search).get(name) ?? fallback;
  const change = (to: string) => {
    const query = new URLSearchParams(location.search);
    // A step to the same view would be one that Back takes without a change.
    if (to === (query.get(name) ?? fallback)) return;
    if (to === fallback) query.delete(name);
    else query.set(name, to);
    const text = query.size === 0 ? location.pathname : `${location.pathname}?${query}`;
    history.pushState(null, '', text + location.hash);
    dispatchEvent(new Event(changed));
  };
  return [value, change];
}

function searchOf(path: string): string {
  const start = path.indexOf('?');
  return start < 0 ? '' : path.slice(start);
}

/**
 * Sets the title of the document, without the service's name, together with what is drawn. After the next frame would be
 * late: browsers list what was visited by the title that the document has then.
 */
export function useTitle(title: string | null): void {
  useLayoutEffect(() => {
    if (title !== null) document.title = `${title} · Spaceport`;
  }, [title]);
}
