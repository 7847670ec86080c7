import { createHash } from 'node:crypto';
import { BlobMismatch, BlobTooLong } from './blob-store.ts';

/**
 * Passes `source` on, hashing on the way. Ends normally only where length and SHA-256 are as expected, so whoever
 * consumes it may keep the bytes once its loop is over.
 * @throws `BlobTooLong` at the first byte too many (which closes the source without draining it), `BlobMismatch` at
 * the end, and whatever the source throws
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
