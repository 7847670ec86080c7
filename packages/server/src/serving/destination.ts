import type { IncomingMessage } from 'node:http';

type Request = Pick<IncomingMessage, 'headers'>;

/** What shows a document: a tab, a frame, or an element that is one when it has a page in it. */
const showing: ReadonlySet<unknown> = new Set(['document', 'iframe', 'frame', 'embed', 'object']);

/** Returns whether a document to show is requested, and not text for a script. Only browsers tell this. */
export function asksForDocument({ headers }: Request): boolean {
  return showing.has(headers['sec-fetch-dest']);
}

/** Returns whether a page requests a part of itself: an image, a style, data. False if nobody tells. */
export function asksForPart(request: Request): boolean {
  return request.headers['sec-fetch-dest'] !== undefined && !asksForDocument(request);
}
