import { randomLabel } from '../secrets/id.ts';

const hashPattern = /^[0-9a-f]{64}$/u;
const keyPattern = /^[0-9a-f]{64}-[0-9a-hjkmnp-tv-z]{8}$/u;

/**
 * Returns a new key: `<hash>-<8 random characters>`.
 * @throws `TypeError` if `hash` is not a SHA-256 in lower-case hex
 */
function newBlobKey(hash: string): string {
  if (!hashPattern.test(hash)) throw new TypeError('not a SHA-256 in lower-case hex');
  return `${hash}-${randomLabel(8)}`;
}

/**
 * Returns the key to write under: a new one, or `given`.
 * @throws `TypeError` if `given` is not a key of these bytes
 */
export function keyFor(hash: string, given?: string): string {
  if (given === undefined) return newBlobKey(hash);
  if (!isBlobKey(given) || !given.startsWith(`${hash}-`)) throw new TypeError('not a key of this SHA-256');
  return given;
}

/** Returns the SHA-256 of the bytes under a key. */
export function hashOf(key: string): string {
  return key.slice(0, key.indexOf('-'));
}

/**
 * Returns whether a text has the form of a key. Nothing else may become part of a path or of an object's
 * name.
 */
export function isBlobKey(text: string): boolean {
  return keyPattern.test(text);
}
