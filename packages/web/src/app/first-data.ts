import type { FirstData } from '@spaceport/contract/first-data';

/**
 * Returns the data that the server wrote into a document.
 * @throws an error if there is none, because then there is no page to render
 */
export function firstDataIn(document: Document): FirstData {
  const text = document.getElementById('first-data')?.textContent;
  if (!text) throw new Error('The document brings no first data.');
  // Our own server wrote it, from the same types.
  return JSON.parse(text) as FirstData;
}
