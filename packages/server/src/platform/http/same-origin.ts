import type { IncomingHttpHeaders } from 'node:http';

/**
 * The sender of a request, as its browser states it: `same-origin` for a page of ours or the person's own
 * action, `cross-site` for any other page, `unknown` if nothing is stated, as with programs that are not
 * browsers.
 */
export type Sender = 'same-origin' | 'cross-site' | 'unknown';

const ownFetchSites = new Set(['same-origin', 'none']);

/** Reads Sec-Fetch-Site if the browser sends it (only to https and localhost), else Origin. */
export function senderOf(headers: IncomingHttpHeaders, appOrigin: string): Sender {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return ownFetchSites.has(String(site)) ? 'same-origin' : 'cross-site';
  if (headers.origin === undefined) return 'unknown';
  return headers.origin === appOrigin ? 'same-origin' : 'cross-site';
}

/** For requests without a session: a program may send them, a page of another site may not. */
export function isFromAnotherSite(headers: IncomingHttpHeaders, appOrigin: string): boolean {
  return senderOf(headers, appOrigin) === 'cross-site';
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether a method must not change anything, and so may come from anywhere. */
export function isSafeMethod(method: string): boolean {
  return safeMethods.has(method);
}
