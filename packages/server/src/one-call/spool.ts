import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreUnavailable } from '../platform/blobs/blob-store.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { randomLabel } from '../platform/secrets/id.ts';
import { onTemporaryDisk } from '../platform/temporary-folder.ts';

/** Bytes that can be read several times. */
export interface Stored {
  readonly size: number;
  /** Reads the bytes from `start` up to `end` (excluded); all of them by default. */
  read(start?: number, end?: number): AsyncIterable<Uint8Array>;
}

const readBytes = 256 * 1024;

/**
 * A temporary file without a name, so that neither a client that disconnects nor a
 * crash leaves a file behind.
 */
export class Spool implements Stored {
  readonly #file: FileHandle;
  #size = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Creates a spool, and the folder if it does not exist.
   * @throws `StoreUnavailable`, as all methods do
   */
  static create(folder: string): Promise<Spool> {
    return onTemporaryDisk(async () => {
      await makeFolder(folder, 0o700);
      const path = join(folder, `publish-${randomLabel(16)}`);
      const file = await open(path, 'wx+', 0o600);
      await unlink(path);
      return new Spool(file);
    });
  }

  get size(): number {
    return this.#size;
  }

  async append(chunk: Uint8Array): Promise<void> {
    await onTemporaryDisk(() => this.#file.appendFile(chunk));
    this.#size += chunk.byteLength;
  }

  async *read(start = 0, end = this.#size): AsyncGenerator<Uint8Array, void, undefined> {
    for (let at = start; at < end; ) {
      const length = Math.min(readBytes, end - at);
      const position = at;
      const { bytesRead, buffer } = await onTemporaryDisk(() =>
        this.#file.read(Buffer.allocUnsafe(length), 0, length, position),
      );
      if (bytesRead === 0) throw new StoreUnavailable('a temporary file is shorter than it was written');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Returns a part of a spool as a spool of its own. */
export function partOf(whole: Stored, from: number, size: number): Stored {
  return { size, read: (start = 0, end = size) => whole.read(from + start, from + end) };
}
