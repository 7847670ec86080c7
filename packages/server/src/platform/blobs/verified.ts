import { createHash } from 'node:crypto';
import { BlobMismatch, BlobTooLong } from './blob-store.ts';

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
