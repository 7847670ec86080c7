import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { runBounded } from '../bounded-process.ts';
import type { BlobStore } from './blob-store.ts';
import { openVerified } from './verified.ts';

/** The largest file, and the largest dictionary. */
export const mostDeltaBytes = 64 * 1024 * 1024;

const program = fileURLToPath(new URL('delta-program.ts', import.meta.url));
const maxMs = 120_000;
const mebibyte = 1024 * 1024;
/** Enough for both files, twice, and the tables of zstd. */
const maxMemoryBytes = 768 * mebibyte;
const heapMebibytes = 64;

interface StoredBlob {
  readonly key: string;
  readonly size: number;
}

/**
 * Writes a delta of a blob against another one to the store, after reading it back. Returns its key and
 * bytes; null if it would have more than `maxBytes`, or cannot be made within the limits.
 * @throws the store's errors, and if no process can be started
 */
export async function writeDelta(
  store: BlobStore,
  file: StoredBlob,
  dictionary: StoredBlob,
  maxBytes: number,
): Promise<StoredBlob | null> {
  async function* both(): AsyncGenerator<Uint8Array> {
    yield* await openVerified(store, dictionary);
    yield* await openVerified(store, file);
  }
  const args = [dictionary.size, maxBytes, maxMs];
  const limits = { maxMs, maxMemoryBytes, maxAnswerBytes: maxBytes, heapMebibytes };
  const { code, answer, complaint } = await runBounded(program, args, both(), limits);
  if (code !== 0 && code !== null) throw new Error(`no delta could be made: ${complaint}`);
  if (code === null || answer.length === 0) return null;
  const hash = createHash('sha256').update(answer).digest('hex');
  const key = await store.write(chunksOf(answer), { hash, size: answer.length });
  return { key, size: answer.length };
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  // A copy, because the store takes over the memory of a chunk.
  for (let at = 0; at < bytes.length; at += mebibyte) yield Buffer.from(bytes.subarray(at, at + mebibyte));
}
