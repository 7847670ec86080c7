import { createHash } from 'node:crypto';
import { hashOf } from './blob-key.ts';
import { BlobMismatch, type BlobStore, BlobTooLong } from './blob-store.ts';

/**
 * Passes `source` on and hashes it. It ends normally only if length and SHA-256 are as expected, so a
 * consumer may keep the bytes once its loop has ended.
 * @throws `BlobTooLong` at the first byte too many (the source is closed without being drained),
 * `BlobMismatch` at the end, and any error of the source
 */
export async function* verified(
  source: AsyncIterable<Uint8Array>,
  expected: { hash: string; size: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of source) {
    if (chunk.byteLength === 0) continue;
    size += chunk.byteLength;
    if (size > expected.size) throw new BlobTooLong(`more than the ${expected.size} bytes announced`);
    hash.update(chunk);
    yield chunk;
  }
  if (size < expected.size) throw new BlobMismatch(`${size} bytes instead of ${expected.size}`);
  if (hash.digest('hex') !== expected.hash) throw new BlobMismatch('the SHA-256 differs');
}

/**
 * Opens a stored file, as `verified`. What is made of a file and kept must be made of its own bytes: a store may give a
 * part of them, or damaged ones, as if they were whole.
 * @throws the store's errors, and while it is read those of `verified`
 */
export async function openVerified(
  store: Pick<BlobStore, 'open'>,
  { key, size }: { readonly key: string; readonly size: number },
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  return verified(await store.open(key), { hash: hashOf(key), size });
}
