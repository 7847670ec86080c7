import type { FirstData } from '@spaceport/contract/first-data';
import { firstDataIn } from './first-data.ts';

const listeners = new Set<(data: FirstData) => void>();

/** Tells of every `rereadDocument`. Returns how to stop. */
export function onReread(listener: (data: FirstData) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Asks the server for this page again, without loading it: somebody has signed in, or it shows what is older by now. Its head
 * line is put in the place of this one's, and what the page is drawn from is told; a frame that runs goes on.
 * @throws where no such page came
 */
export async function rereadDocument(): Promise<void> {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const data = firstDataIn(fresh);
  const links = fresh.querySelector('.bar > nav');
  const shown = document.querySelector('.bar > nav');
  if (links && shown) {
    // The switch of colours knows how it stands.
    const toggle = shown.querySelector('[data-theme-toggle]');
    if (toggle) links.querySelector('[data-theme-toggle]')?.replaceWith(toggle);
    shown.replaceWith(document.adoptNode(links));
  }
  for (const listener of listeners) listener(data);
}
