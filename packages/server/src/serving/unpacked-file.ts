import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

const readBytes = 64 * 1024;

/** One file as it grows: whoever reads it follows whoever writes it. */
export class UnpackedFile {
  /** Whose it is: `play/moon-hopper`. */
  readonly site: string;
  /** Everybody who asked before it was begun, each telling whether it has left. */
  readonly #askers: (() => boolean)[] = [];
  /** When it was last read, on the process's own clock, which nobody sets. */
  usedAt = performance.now();
  #handle: FileHandle | undefined;
  #hasBegun = false;
  #size = 0;
  #reading = 0;
  #isWhole = false;
  #fault: { readonly error: unknown } | undefined;
  #progress = Promise.withResolvers<void>();

  constructor(site: string) {
    this.site = site;
  }

  get size(): number {
    return this.#size;
  }

  /** It is whole, and nobody reads it. */
  get isIdle(): boolean {
    return this.#isWhole && this.#reading === 0;
  }

  /** `isGone` tells whether this reader has left. */
  askedBy(isGone: () => boolean): void {
    if (!this.#hasBegun) this.#askers.push(isGone);
  }

  /** @throws where it has failed already, or nobody waits for it any more */
  begin(): void {
    if (this.#fault) throw this.#fault.error;
    if (this.#askers.every((isGone) => isGone())) throw new Error('nobody waits for it any more');
    this.#hasBegun = true;
    this.#askers.length = 0;
  }

  hold(handle: FileHandle): void {
    this.#handle = handle;
    if (this.#fault) void handle.close();
  }

  /** @throws once it has failed, the file system's errors among others */
  async append(chunk: Buffer): Promise<void> {
    if (this.#fault) throw this.#fault.error;
    if (!this.#handle) throw new Error('there is no file to write to');
    for (let at = 0; at < chunk.length; ) {
      const { bytesWritten } = await this.#handle.write(chunk, at, chunk.length - at, this.#size + at);
      at += bytesWritten;
    }
    this.#size += chunk.length;
    this.#tell();
  }

  end(): void {
    this.#isWhole = true;
    this.usedAt = performance.now();
    this.#tell();
  }

  /** Readers under way get the error, and the room is given back. */
  fail(error: unknown): void {
    if (this.#fault) return;
    this.#fault = { error };
    this.#handle?.close().catch(() => {});
    this.#tell();
  }

  /**
   * Resolves once it has so many bytes, or all it will have.
   * @throws why it failed
   */
  async reached(bytes: number): Promise<void> {
    while (!this.#fault && !this.#isWhole && this.#size < bytes) await this.#progress.promise;
    if (this.#fault) throw this.#fault.error;
  }

  /** All of it, from the beginning, as it comes. It counts as read until the stream is closed. */
  read(): Readable {
    this.#reading++;
    const stream = Readable.from(this.#bytes(), { objectMode: false });
    stream.once('close', () => {
      this.#reading--;
      this.usedAt = performance.now();
    });
    return stream;
  }

  async *#bytes(): AsyncGenerator<Buffer> {
    for (let at = 0; ; ) {
      await this.reached(at + 1);
      const length = Math.min(readBytes, this.#size - at);
      if (length <= 0 || !this.#handle) return;
      const { buffer, bytesRead } = await this.#handle.read(Buffer.allocUnsafe(length), 0, length, at);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  #tell(): void {
    const { resolve } = this.#progress;
    this.#progress = Promise.withResolvers<void>();
    resolve();
  }
}
