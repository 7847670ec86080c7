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
 * header is replaced, and the listeners get the new data; a running frame goes on.
 * @throws an error if the answer is not this page
 */
export async function rereadDocument(): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
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
}
