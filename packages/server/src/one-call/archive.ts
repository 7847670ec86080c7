import type { SizeLimits } from '../versions/manifest.ts';
import type { Entries } from './entry.ts';
import type { Stored } from './spool.ts';
import { tarEntries } from './tar-entries.ts';
import { zipEntries } from './zip-entries.ts';

export interface Part {
  readonly name: string;
  readonly bytes: Stored;
}

/** Returns the reader for the kind of archive, which its first bytes tell; null if it is not an archive. */
export async function archiveIn(stored: Stored, limits: SizeLimits): Promise<Entries | null> {
  const head = Buffer.concat(await Array.fromAsync(stored.read(0, Math.min(512, stored.size))));
  const begins = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text;
  if (begins('PK\x03\x04') || begins('PK\x05\x06')) return () => zipEntries(stored);
  if (begins('\x1f\x8b')) return () => tarEntries(stored, { limits, zipped: true });
  if (begins('ustar', 257)) return () => tarEntries(stored, { limits, zipped: false });
  return null;
}

export function partEntries(parts: readonly Part[]): Entries {
  return async function* () {
    for (const { name, bytes } of parts)
      yield { name, kind: 'file', problem: null, size: bytes.size, read: () => bytes.read() };
  };
}
