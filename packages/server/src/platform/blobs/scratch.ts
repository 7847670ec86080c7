import type { FileHandle } from 'node:fs/promises';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { randomLabel } from '../secrets/id.ts';
import { onTemporaryDisk } from '../temporary-folder.ts';

/** Bytes that are stored to be read again: in memory while they are few, then in a file. */
export class Scratch {
  readonly #folder: string;
  readonly #memoryBytes: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #file: FileHandle | undefined;

  constructor(folder: string, memoryBytes: number) {
    this.#folder = folder;
    this.#memoryBytes = memoryBytes;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Appends a chunk. Makes the folder if it is missing.
   * @throws `StoreUnavailable`
   */
  async append(chunk: Uint8Array): Promise<void> {
    this.#size += chunk.byteLength;
    const file = this.#file;
    if (file) return onTemporaryDisk(() => file.appendFile(chunk));
    this.#chunks.push(chunk);
    if (this.#size > this.#memoryBytes) await onTemporaryDisk(() => this.#moveToFile());
  }

  async #moveToFile(): Promise<void> {
    await makeFolder(this.#folder, 0o700);
    const path = join(this.#folder, `pack-${randomLabel(16)}`);
    this.#file = await open(path, 'wx+');
    // The file has no name from here on, so that not even a crash leaves it behind.
    await unlink(path);
    const gathered = Buffer.concat(this.#chunks);
    this.#chunks = [];
    await this.#file.appendFile(gathered);
  }

  /** Returns all appended bytes, from the beginning. */
  read(): AsyncIterable<Uint8Array> {
    return this.#file ? this.#file.createReadStream({ start: 0, autoClose: false }) : inMemory(this.#chunks);
  }

  async close(): Promise<void> {
    this.#chunks = [];
    await this.#file?.close();
  }
}

async function* inMemory(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
