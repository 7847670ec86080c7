import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a seal is of: one kind never passes for another. */
export type SealedKind = 'session' | 'run';

/** Text of `kind` that says `value`, and that nobody without the key can make or change. Whoever has it can read it. */
export function seal(key: Buffer, kind: SealedKind, value: unknown): string {
  const said = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${said}.${macOf(key, kind, said).toString('base64url')}`;
}

/** What a sealed text says; undefined where it is none of this kind and key. */
export function unseal(key: Buffer, kind: SealedKind, text: string): unknown {
  const [said = '', mac = '', ...rest] = text.split('.');
  const given = Buffer.from(mac, 'base64url');
  const own = macOf(key, kind, said);
  if (rest.length > 0 || given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
  return JSON.parse(Buffer.from(said, 'base64url').toString());
}

/** Says the same of the same parts ever after, and nothing of them to anybody. */
export function markOf(key: Buffer, ...parts: readonly string[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

function macOf(key: Buffer, kind: SealedKind, said: string): Buffer {
  return createHmac('sha256', key).update(`${kind}.${said}`).digest();
}
