import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from './blob-store.ts';
import { type ContentCoding, compressor, contentCodings } from './codings.ts';
import { isCompressed, sniffBytes } from './compressed.ts';
import { Scratch } from './scratch.ts';

export type Forms = Partial<Record<ContentCoding, { key: string; size: number }>>;

const leastBytes = 1024;
const mostBytes = 128 * 1024 * 1024;
const inMemoryBytes = 4 * 1024 * 1024;
/** A form that saves less is not worth the room it takes. */
const leastSaved = { share: 0.05, bytes: 256 };

/**
 * Writes the compressed forms of a blob to the store, those that are worth it, and answers their keys and sizes in
 * bytes; no form for files that are very small, very large, or compressed already. Larger forms are put together in
 * `temporaryFolder`, which is made where it lacks.
 * @throws the store's errors, the file system's, and the signal's reason; then no form is kept
 */
export async function packBlob(
  store: BlobStore,
  blob: { key: string; size: number },
  options: { temporaryFolder: string; signal?: AbortSignal },
): Promise<Forms> {
  options.signal?.throwIfAborted();
  if (blob.size < leastBytes || blob.size > mostBytes) return {};
  const head = await buffer(await store.open(blob.key, { start: 0, end: sniffBytes - 1 }));
  if (isCompressed(head)) return {};

  const forms: Forms = {};
  try {
    for (const coding of contentCodings) {
      const form = await packAs(coding, store, blob, options);
      if (form) forms[coding] = form;
      // What brotli, the strongest, cannot make small enough, the others will not either.
      else if (coding === contentCodings[0]) break;
    }
    return forms;
  } catch (error) {
    // Best effort: no row names these, so the collector finds what is left.
    for (const { key } of Object.values(forms)) await store.delete(key).catch(() => {});
    throw error;
  }
}

async function packAs(
  coding: ContentCoding,
  store: BlobStore,
  blob: { key: string; size: number },
  { temporaryFolder, signal }: { temporaryFolder: string; signal?: AbortSignal },
): Promise<{ key: string; size: number } | null> {
  const mostWorthwhile = blob.size - Math.max(leastSaved.bytes, Math.ceil(blob.size * leastSaved.share));
  const scratch = new Scratch(temporaryFolder, inMemoryBytes);
  const hash = createHash('sha256');
  try {
    await pipeline(
      await store.open(blob.key),
      compressor(coding, blob.size),
      async (packed: AsyncIterable<Buffer>) => {
        for await (const chunk of packed) {
          // Past this the form is lost, and only ended in good order.
          if (scratch.size > mostWorthwhile) continue;
          hash.update(chunk);
          await scratch.append(chunk);
        }
      },
      { signal },
    );
    const size = scratch.size;
    if (size > mostWorthwhile) return null;
    const key = await store.write(until(signal, scratch.read()), { hash: hash.digest('hex'), size });
    return { key, size };
  } finally {
    await scratch.close();
  }
}

async function* until(
  signal: AbortSignal | undefined,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    signal?.throwIfAborted();
    yield chunk;
  }
}
