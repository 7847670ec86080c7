import type { IncomingMessage } from 'node:http';
import type { MediaType } from './media-types.ts';

/**
 * Addresses with a version in them: `/~7/a.js` is `a.js` of version 7, for as long as that is served. Relative addresses
 * stay below, so that a load is of one version, and what is there never changes.
 */
export interface VersionPath {
  readonly number: number;
  /** Path and query inside the version: `/a.js?x`; without its slash where the address ends with the number. */
  readonly rest: string;
}

const inAddress = /^\/(?:~|%7[eE])([1-9][0-9]{0,8})(?=[/?]|$)/u;

/** The version that a request target names, or null. */
export function versionPathOf(url: string): VersionPath | null {
  // Nearly all addresses end here.
  if (url.charCodeAt(1) !== 0x7e && url.charCodeAt(1) !== 0x25) return null;
  const match = inAddress.exec(url);
  return match ? { number: Number(match[1]), rest: url.slice(match[0].length) } : null;
}

/** The version whose page, script or style asks, where it is of the same host. */
export function versionOfReferer(referer: string | undefined, host: string | undefined): number | null {
  if (referer === undefined || host === undefined || !referer.includes('/~')) return null;
  const from = URL.parse(referer);
  if (!from || (from.protocol !== 'http:' && from.protocol !== 'https:')) return null;
  return from.host === hostOf(from.protocol, host) ? (versionPathOf(from.pathname)?.number ?? null) : null;
}

/** As URLs write it: in lower case, without a port that goes without saying. */
function hostOf(protocol: string, host: string): string | undefined {
  return URL.parse(`${protocol}//${host}`)?.host;
}

/** The version that a request is for, by its address or by who asks. */
export interface NamedVersion extends VersionPath {
  readonly by: 'address' | 'referer';
}

/** Null for one that names none. */
export function namedVersion({
  url = '',
  headers: { referer, host },
}: Pick<IncomingMessage, 'url' | 'headers'>): NamedVersion | null {
  const inUrl = versionPathOf(url);
  if (inUrl) return { ...inUrl, by: 'address' };
  const number = versionOfReferer(referer, host);
  return number === null ? null : { number, rest: url, by: 'referer' };
}

/** Whether a page of a version of the same host asks, as it does where it was led. */
export function wasLed({ headers: { referer, host } }: Pick<IncomingMessage, 'headers'>): boolean {
  return versionOfReferer(referer, host) !== null;
}

export function versionPath(number: number): string {
  return `/~${number}`;
}

/** What opens in a frame or a tab: asked for anew each time, so that holds and deletions reach the next load. */
export function isDocument({ contentType }: MediaType): boolean {
  return contentType.startsWith('text/html') || contentType.startsWith('application/xhtml+xml');
}

/** A redirect is about as large. */
const leastLedBytes = 1024;
const ledTypes =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:wasm|octet-stream|zip|gzip|pdf)|model\/gltf-binary)/u;

/**
 * Whether a request for a file may be led to another address of the same bytes. What names other files relatively may
 * not: it would go on from there.
 */
export function mayBeLed({ contentType }: MediaType, size: number): boolean {
  return size >= leastLedBytes && ledTypes.test(contentType);
}

/** What is smaller is packed as well by itself. */
const leastDictionaryBytes = 32 * 1024;
/** Characters that mean something in the pattern of a match. */
const patternLetters = /[()*+:?{}\\]/u;

/**
 * The files that a browser may use this one for as a dictionary (RFC 9842): those at its path in other versions. Null
 * for one that is too small, or has a name that cannot be put into a pattern.
 * @param path as pages of the version ask for it, seen from its root
 */
export function dictionaryMatch(path: string, size: number): string | null {
  if (size < leastDictionaryBytes || patternLetters.test(path)) return null;
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  // Browsers write these as they are, and others escaped; both would have to match.
  return /['!]/u.test(encoded) ? null : `match="/~*/${encoded}"`;
}
