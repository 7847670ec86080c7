import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a sealed text contains. One kind is never accepted as another. */
export type SealedKind = 'session' | 'run';

/**
 * Returns text of `kind` that contains `value`. Only the key's owner can make or change it,
 * but everybody can read it.
 */
export function seal(key: Buffer, kind: SealedKind, value: unknown): string {
  const said = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${said}.${macOf(key, kind, said).toString('base64url')}`;
}

/** Returns the value in a sealed text; undefined if it does not match the kind and the key. */
export function unseal(key: Buffer, kind: SealedKind, text: string): unknown {
  const [said = '', mac = '', ...rest] = text.split('.');
  const given = Buffer.from(mac, 'base64url');
  const own = macOf(key, kind, said);
  if (rest.length > 0 || given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
  return JSON.parse(Buffer.from(said, 'base64url').toString());
}

/** Returns a mark of these parts: always the same for the same parts, and revealing nothing about them. */
export function markOf(key: Buffer, ...parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

function macOf(key: Buffer, kind: SealedKind, said: string): Buffer {
  return createHmac('sha256', key).update(`${kind}.${said}`).digest();
}
