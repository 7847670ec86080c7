import type { IncomingMessage } from 'node:http';
import type { MediaType } from './media-types.ts';

/**
 * An address with a version in it: `/~7/a.js` is `a.js` of version 7, for as long as that is served. Relative
 * addresses stay inside it, so that all files of a load are of one version, and the bytes at an address never
 * change.
 */
export interface VersionPath {
  readonly number: number;
  /** Path and query inside the version: `/a.js?x`. Without the slash if the address ends with the number. */
  readonly rest: string;
}

const inAddress = /^\/(?:~|%7[eE])([1-9][0-9]{0,8})(?=[/?]|$)/u;

/** Returns the version that a request target names in its path, or null. */
export function versionPathOf(url: string): VersionPath | null {
  // Nearly all addresses return here.
  if (url.charCodeAt(1) !== 0x7e && url.charCodeAt(1) !== 0x25) return null;
  const match = inAddress.exec(url);
  return match ? { number: Number(match[1]), rest: url.slice(match[0].length) } : null;
}

/** Returns the version whose page, script or style sent the request, if it is of the same host; else null. */
export function versionOfReferer(referer: string | undefined, host: string | undefined): number | null {
  if (referer === undefined || host === undefined || !referer.includes('/~')) return null;
  const from = URL.parse(referer);
  if (!from || (from.protocol !== 'http:' && from.protocol !== 'https:')) return null;
  return from.host === hostOf(from.protocol, host) ? (versionPathOf(from.pathname)?.number ?? null) : null;
}

/** Returns the host as in URLs: in lower case, without a default port. */
function hostOf(protocol: string, host: string): string | undefined {
  return URL.parse(`${protocol}//${host}`)?.host;
}

/** The version that a request is for, by its address or by its referer. */
export interface NamedVersion extends VersionPath {
  readonly by: 'address' | 'referer';
}

/** Returns the version that a request is for, or null. */
export function namedVersion({
  url = '',
  headers: { referer, host },
}: Pick<IncomingMessage, 'url' | 'headers'>): NamedVersion | null {
  const inUrl = versionPathOf(url);
  if (inUrl) return { ...inUrl, by: 'address' };
  const number = versionOfReferer(referer, host);
  return number === null ? null : { number, rest: url, by: 'referer' };
}

/**
 * Returns whether a page of a version of the same host sent the request, as after a redirect to an earlier
 * version.
 */
export function wasLed({ headers: { referer, host } }: Pick<IncomingMessage, 'headers'>): boolean {
  return versionOfReferer(referer, host) !== null;
}

export function versionPath(number: number): string {
  return `/~${number}`;
}

/**
 * Returns whether it opens in a frame or a tab. Such files are requested anew each time, so that holds and
 * deletions take effect with the next load.
 */
export function isDocument({ contentType }: MediaType): boolean {
  return contentType.startsWith('text/html') || contentType.startsWith('application/xhtml+xml');
}

/**
 * Returns whether it is a part of other pages as a rule, and yet a page with scripts if it is opened: an SVG
 * image, or XML.
 */
export function opensToo(media: MediaType): boolean {
  return media.role === 'page' && !isDocument(media);
}

/** Smaller files are not redirected: a redirect is about as large. */
const leastLedBytes = 1024;
const ledTypes =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:wasm|octet-stream|zip|gzip|pdf)|model\/gltf-binary)/u;

/**
 * Returns whether requests for a file may be redirected to another address with the same bytes. A file that
 * names other files relatively may not: its links would lead elsewhere.
 */
export function mayBeLed({ contentType }: MediaType, size: number): boolean {
  return size >= leastLedBytes && ledTypes.test(contentType);
}

/** Smaller files compress as well without a dictionary. */
const leastDictionaryBytes = 32 * 1024;
/** Characters with a meaning in the pattern of a match. */
const patternLetters = /[()*+:?{}\\]/u;

/**
 * Returns the `match` pattern of the files for which a browser may use this one as a dictionary (RFC 9842):
 * those at its path in other versions. Returns null if it is too small, or if its name cannot be put into a
 * pattern.
 * @param path as pages of the version request it, relative to its root
 */
export function dictionaryMatch(path: string, size: number): string | null {
  if (size < leastDictionaryBytes || patternLetters.test(path)) return null;
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  // Browsers send these both plain and escaped, and a pattern would have to match both.
  return /['!]/u.test(encoded) ? null : `match="/~*/${encoded}"`;
}
