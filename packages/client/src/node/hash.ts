import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { FileChangedError } from '../source.ts';
import { release } from './release.ts';
import type { ScannedFile } from './scan.ts';

/** Up to this size a file is read whole: one read and one hash call instead of a stream. */
export const wholeFileBytes = 4 * 1024 * 1024;
export const streamChunkBytes = 1024 * 1024;
/** Enough to keep the thread pool reading while this thread hashes. */
const concurrency = 8;

export interface HashProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

/** Returns the SHA-256 of a file's bytes as 64 lower-case hex digits. @throws FileChangedError */
async function hashFile(file: ScannedFile, onBytes: (bytes: number) => void): Promise<string> {
  if (file.size <= wholeFileBytes) {
    const bytes = await readFile(file.absolutePath);
    if (bytes.byteLength !== file.size) throw new FileChangedError(file.path);
    const digest = hash('sha256', bytes, 'hex');
    release(bytes);
    onBytes(file.size);
    return digest;
  }
  const digest = createHash('sha256');
  let read = 0;
  for await (const chunk of createReadStream(file.absolutePath, { highWaterMark: streamChunkBytes })) {
    // A file stream without an encoding has Buffers as chunks.
    const buffer = chunk as Buffer;
    digest.update(buffer);
    read += buffer.byteLength;
    onBytes(buffer.byteLength);
  }
  if (read !== file.size) throw new FileChangedError(file.path);
  return digest.digest('hex');
}

/** Waits for the reading of a file that was listed. @throws FileChangedError if there is none any more */
export async function whileThere<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw isGone(error) ? new FileChangedError(path) : error;
  }
}

/** Nothing is there any more; or a folder is, or a file is where its folder was. */
const goneCodes: ReadonlySet<unknown> = new Set(['ENOENT', 'EISDIR', 'ENOTDIR']);

/** Returns whether what was listed as a file or folder is none any more. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && goneCodes.has(error.code);
}

/** Hashes files in parallel, in any order. @returns the hash of each path */
export async function hashFiles(
  files: readonly ScannedFile[],
  options: {
    onProgress?: ((progress: HashProgress) => void) | undefined;
    signal?: AbortSignal | undefined;
  } = {},
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  const bytesTotal = files.reduce((sum, file) => sum + file.size, 0);
  let bytesDone = 0;
  let hasFailed = false;
  const tell = (bytes: number) => {
    options.signal?.throwIfAborted();
    // The other lanes end, and tell nothing after the error.
    if (hasFailed) throw new Error('another file failed');
    bytesDone += bytes;
    options.onProgress?.({ filesDone: hashes.size, filesTotal: files.length, bytesDone, bytesTotal });
  };
  let next = 0;
  const lane = async () => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      hashes.set(file.path, await whileThere(file.path, hashFile(file, tell)));
      tell(0);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, lane));
  } catch (error) {
    hasFailed = true;
    throw error;
  }
  return hashes;
}
