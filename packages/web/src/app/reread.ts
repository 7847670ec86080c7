import type { Viewer } from '@spaceport/contract/document-frame';
import type { FirstData } from '@spaceport/contract/first-data';
import { firstDataIn } from './first-data.ts';

const listeners = new Set<(data: FirstData) => void>();

/** Calls `listener` at every `rereadDocument`. Returns a function that stops it. */
export function onReread(listener: (data: FirstData) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Requests this page again without a reload, after somebody has signed in or the page's data is outdated. The
 * header is replaced, and the listeners get the new data, which is returned; a running frame goes on.
 * @throws an error if the answer is not this page
 */
export async function rereadDocument(): Promise<FirstData> {
  const fresh = await fetchDocument();
  const data = firstDataIn(fresh);
  const links = fresh.querySelector('.bar > nav');
  const shown = document.querySelector('.bar > nav');
  if (links && shown) {
    // The colour switch is kept, because it has state.
    const toggle = shown.querySelector('[data-theme-toggle]');
    if (toggle) links.querySelector('[data-theme-toggle]')?.replaceWith(toggle);
    shown.replaceWith(document.adoptNode(links));
  }
  for (const listener of listeners) listener(data);
  return data;
}

async function fetchDocument(): Promise<Document> {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/**
 * A page that the browser has kept for Back is as it was left. It is loaded again if somebody has signed in or out
 * since. `viewer` returns the account that it shows. Returns a function that stops it.
 */
export function watchRestored(viewer: () => Viewer | null): () => void {
  const look = async () => {
    const { frame } = firstDataIn(await fetchDocument());
    if (JSON.stringify(frame.viewer) !== JSON.stringify(viewer())) location.reload();
  };
  const restored = ({ persisted }: PageTransitionEvent) => {
    // Without an answer the page stays: it may be all that there is, offline.
    if (persisted) void look().catch(() => {});
  };
  addEventListener('pageshow', restored);
  return () => removeEventListener('pageshow', restored);
}
