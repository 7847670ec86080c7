import { randomBytes } from 'node:crypto';
import { givenId, type Ids } from '../db/ids.ts';

// Lower-case Crockford base32: safe in host names, readable aloud, no look-alikes.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns `length` characters with 5 random bits each. */
export function randomLabel(length: number): string {
  let label = '';
  for (const byte of randomBytes(length)) label += alphabet[byte & 31];
  return label;
}

/** Returns a new opaque id with 80 random bits, such as `ver_8f3k…`. */
export function newId<Prefix extends keyof Ids>(prefix: Prefix): Ids[Prefix] {
  return givenId(prefix, `${prefix}_${randomLabel(16)}`);
}
