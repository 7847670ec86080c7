import type { IncomingHttpHeaders } from 'node:http';

/**
 * Where a request was sent from, as its browser says: `same-origin` from a page of ours or by the person's own hand,
 * `cross-site` from any other page, `unknown` when nothing says so, as with programs that are no browser.
 */
export type Sender = 'same-origin' | 'cross-site' | 'unknown';

const ownFetchSites = new Set(['same-origin', 'none']);

/** Sec-Fetch-Site where the browser sends it (only to https and localhost), else Origin (security.md). */
export function senderOf(headers: IncomingHttpHeaders, appOrigin: string): Sender {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return ownFetchSites.has(String(site)) ? 'same-origin' : 'cross-site';
  if (headers.origin === undefined) return 'unknown';
  return headers.origin === appOrigin ? 'same-origin' : 'cross-site';
}

/** For requests that carry no session: a program may send them, a page of another site may not. */
export function isFromAnotherSite(headers: IncomingHttpHeaders, appOrigin: string): boolean {
  return senderOf(headers, appOrigin) === 'cross-site';
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Methods that must not change anything, and so may come from anywhere. */
export function isSafeMethod(method: string): boolean {
  return safeMethods.has(method);
}
