import type { IncomingMessage } from 'node:http';

type Request = Pick<IncomingMessage, 'headers'>;

/** Returns whether a document to show is requested, and not text for a script. Only browsers tell this. */
export function asksForDocument({ headers }: Request): boolean {
  const destination = headers['sec-fetch-dest'];
  return destination === 'document' || destination === 'iframe' || destination === 'frame';
}

/** Returns whether a page requests a part of itself: an image, a style, data. False if nobody tells. */
export function asksForPart(request: Request): boolean {
  const destination = request.headers['sec-fetch-dest'];
  if (destination === undefined || destination === 'embed' || destination === 'object') return false;
  return !asksForDocument(request);
}
