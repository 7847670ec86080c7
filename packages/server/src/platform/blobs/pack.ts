import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from './blob-store.ts';
import { type ContentCoding, contentCodings } from './codings.ts';
import { isCompressed, sniffBytes } from './compressed.ts';
import { dropUnnamed } from './drop-unnamed.ts';
import type { PackingProcess } from './packing-process.ts';
import { Scratch } from './scratch.ts';
import { openVerified } from './verified.ts';

export interface PackOptions {
  readonly packing: PackingProcess;
  readonly temporaryFolder: string;
  readonly signal?: AbortSignal;
}

export type Forms = Partial<Record<ContentCoding, { key: string; size: number }>>;

const leastBytes = 1024;
const mostBytes = 128 * 1024 * 1024;
const inMemoryBytes = 4 * 1024 * 1024;
/** A form that saves less than this is not worth its room. */
const leastSaved = { share: 0.05, bytes: 256 };

/**
 * Writes the compressed forms of a blob that are worth it to the store, and returns their keys and sizes in
 * bytes. Very small and very large files, and files in compressed formats, get no forms. Larger forms are
 * assembled in `temporaryFolder`, which is made if it is missing.
 * @throws the store's errors, the file system's, the signal's reason, and an error if the process that packs
 * cannot start or ends; then no form is kept
 */
export async function packBlob(
  store: BlobStore,
  blob: { key: string; size: number },
  options: PackOptions,
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
      // If brotli, the strongest, cannot make it small enough, the others cannot either.
      else if (coding === contentCodings[0]) break;
    }
    return forms;
  } catch (error) {
    await dropUnnamed(
      store,
      Object.values(forms).map(({ key }) => key),
    );
    throw error;
  }
}

async function packAs(
  coding: ContentCoding,
  store: BlobStore,
  blob: { key: string; size: number },
  { packing, temporaryFolder, signal }: PackOptions,
): Promise<{ key: string; size: number } | null> {
  const mostWorthwhile = blob.size - Math.max(leastSaved.bytes, Math.ceil(blob.size * leastSaved.share));
  const scratch = new Scratch(temporaryFolder, inMemoryBytes);
  const hash = createHash('sha256');
  try {
    for await (const chunk of packing.compress(coding, blob.size, () => openVerified(store, blob), signal)) {
      // The form is too large by now: its stream is only read to the end.
      if (scratch.size > mostWorthwhile) continue;
      hash.update(chunk);
      await scratch.append(chunk);
    }
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
