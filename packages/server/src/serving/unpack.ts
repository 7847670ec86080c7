import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

/**
 * The bytes are not a valid compressed file, or they decode to more than any honest file does. A retry gives
 * the same result.
 */
export class NotUnpackable extends Error {}

export interface PackedFile {
  /** Key in the blob store. */
  readonly key: string;
  /** Bytes as stored. */
  readonly size: number;
  readonly coding: 'br' | 'gzip';
}

/**
 * How many bytes of a large file are unpacked before the first is sent: most broken files fail within them.
 */
const sureBytes = 1024 * 1024;
/** Packed files up to this size are unpacked whole before they are sent. */
const smallBytes = 256 * 1024;
const mostBytes = 512 * 1024 * 1024;
/**
 * The largest ratio. Engine builds unpack to 3 to 10 times their size, a file of zeros to a million times its
 * size.
 */
const mostTimes = 100;
const chunkBytes = 64 * 1024;

/** Returns the most bytes that a packed file of this size may unpack to. */
function mostUnpacked(size: number): number {
  return Math.min(Math.max(size * mostTimes, sureBytes), mostBytes);
}

/** Returns how many unpacked bytes must exist before the first is sent; for a small file all of them. */
export function sureOf(size: number): number {
  return size <= smallBytes ? mostUnpacked(size) + 1 : sureBytes;
}

/**
 * Yields the unpacked bytes as they come, until the end or until the signal aborts.
 * @throws `NotUnpackable`, and the errors of the source
 */
export async function* unpacked(
  source: Readable,
  { key, size, coding }: PackedFile,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const options = { chunkSize: chunkBytes };
  const unpacker = coding === 'br' ? createBrotliDecompress(options) : createGunzip(options);
  let fault: Error | undefined;
  const stop = (error: Error) => {
    fault ??= error;
    unpacker.destroy(error);
  };
  const abort = () => stop(new Error('unpacking took too long'));
  signal.addEventListener('abort', abort);
  source.on('error', stop);
  source.on('close', () => {
    if (!source.readableEnded) stop(new Error('the source ended too soon'));
  });
  let bytes = 0;
  try {
    // Not `pipeline`: it waits until all input is read, and bytes after the end of a stream are never read.
    source.pipe(unpacker);
    for await (const chunk of unpacker as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostUnpacked(size))
        throw new NotUnpackable(`${key} unpacks to over ${mostUnpacked(size)} bytes`);
      yield chunk;
    }
    // A gzip file may have several members and padding; a brotli file is one stream and nothing else.
    if (coding === 'br' && unpacker.bytesWritten !== size)
      throw new NotUnpackable(`${key} has bytes behind the end of what is packed in it`);
  } catch (error) {
    throw fault ?? (error instanceof NotUnpackable ? error : new NotUnpackable(`${key}: ${String(error)}`));
  } finally {
    signal.removeEventListener('abort', abort);
    source.destroy();
    unpacker.destroy();
  }
}
