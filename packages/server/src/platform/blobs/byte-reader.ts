/** Reads a stream of bytes in pieces of known lengths. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /**
   * Returns the next `bytes` bytes; null if the stream has ended before them.
   * @throws `CutShort` if it ends within them, and the stream's errors
   */
  async piece(bytes: number): Promise<Buffer | null> {
    if (!(await this.#hasMore())) return null;
    return Buffer.concat(await Array.fromAsync(this.next(bytes)), bytes);
  }

  /**
   * Yields the next `bytes` bytes in chunks, as they come.
   * @throws `CutShort` if the stream ends before, and the stream's errors
   */
  async *next(bytes: number): AsyncGenerator<Uint8Array, void, undefined> {
    for (let left = bytes; left > 0; ) {
      if (!(await this.#hasMore())) throw new CutShort(`a stream ended ${left} bytes early`);
      const taken = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(left);
      left -= taken.byteLength;
      yield taken;
    }
  }

  async #hasMore(): Promise<boolean> {
    while (this.#rest.byteLength === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#rest = value;
    }
    return true;
  }
}

class CutShort extends Error {
  override name = 'CutShort';
}
