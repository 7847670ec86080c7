import { randomBytes } from 'node:crypto';
import { givenId, type Ids } from '../db/ids.ts';

// Lower-case Crockford base32: safe in host names, readable aloud, no look-alikes.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random bytes, drawn ahead: a call for a few takes ten times as long as all else that makes a label. */
let drawn = Buffer.alloc(0);
const drawnBytes = 4096;

/** Returns `length` characters with 5 random bits each. */
export function randomLabel(length: number): string {
  if (drawn.length < length) drawn = randomBytes(Math.max(length, drawnBytes));
  let label = '';
  for (const byte of drawn.subarray(0, length)) label += alphabet[byte & 31];
  // No byte is used twice.
  drawn = drawn.subarray(length);
  return label;
}

/** Returns a new opaque id with 80 random bits, such as `ver_8f3k…`. */
export function newId<Prefix extends keyof Ids>(prefix: Prefix): Ids[Prefix] {
  return givenId(prefix, `${prefix}_${randomLabel(16)}`);
}
