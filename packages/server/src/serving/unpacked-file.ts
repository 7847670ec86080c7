import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

const readBytes = 64 * 1024;

/** A file that is read while it is written. */
export class UnpackedFile {
  /** The site that it belongs to, such as `play/moon-hopper`. */
  readonly site: string;
  /** For each client that asked before writing began: a function that tells whether the client has left. */
  readonly #askers: (() => boolean)[] = [];
  /** When it was last read, by `performance.now()`. */
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

  /** True if it is complete and has no readers. */
  get isIdle(): boolean {
    return this.#isWhole && this.#reading === 0;
  }

  /** Adds a client that waits. `isGone` returns whether it has left. */
  askedBy(isGone: () => boolean): void {
    if (!this.#hasBegun) this.#askers.push(isGone);
  }

  /** @throws if it has failed already, or if every client has left */
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

  /** @throws the error with which it failed, and errors of the file system */
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

  /** Gives the error to all readers and frees the disk space. */
  fail(error: unknown): void {
    if (this.#fault) return;
    this.#fault = { error };
    this.#handle?.close().catch(() => {});
    this.#tell();
  }

  /**
   * Resolves when this many bytes are written, or all of them.
   * @throws the error with which it failed
   */
  async reached(bytes: number): Promise<void> {
    while (!this.#fault && !this.#isWhole && this.#size < bytes) await this.#progress.promise;
    if (this.#fault) throw this.#fault.error;
  }

  /** Reads it from the beginning, as it is written. The file is in use until the stream is closed. */
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
