import type { Readable } from 'node:stream';

/**
 * Where the bytes are kept. Every stored copy has a key of its own, `<hash>-<random>`: a key is written once,
 * never overwritten, and deleted by whoever took its row out of the database. So storing and collecting the
 * same bytes at once cannot lose them, on any store, without a lock (docs/decisions/0004-blob-keys.md).
 */
export interface BlobStore {
  /**
   * Streams `source` to a new key. Resolves once the bytes are durable and their length and SHA-256 are as
   * expected; otherwise leaves nothing behind and throws `BlobMismatch`, or `BlobTooLong` as soon as more than
   * `expected.size` bytes came, or `StoreUnavailable`. Never holds the whole source in memory. The chunks are given
   * away: the store may release their memory, and nobody else reads them once they were taken. `key` is for what had
   * one, and whose rows name it: what a backup puts back.
   */
  write(
    source: AsyncIterable<Uint8Array>,
    expected: { hash: string; size: number },
    key?: string,
  ): Promise<string>;
  /**
   * `range` is inclusive, as HTTP's.
   * @throws `BlobGone` where there is no such key
   */
  open(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** The whole blob, for small ones. */
  read(key: string): Promise<Buffer>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
  /**
   * How many bytes there are under the key.
   * @throws `BlobGone`
   */
  size(key: string): Promise<number>;
  /** Drops what crashes left half written a day ago. */
  sweep(): Promise<void>;
  /** Keys with the instant of their writing, in no order: for finding those that no row names. */
  list(): AsyncIterable<{ key: string; writtenAt: number }>;
  /** Resolves when the store answers; throws `StoreUnavailable`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export class BlobMismatch extends Error {}
export class BlobTooLong extends Error {}
export class BlobGone extends Error {}
export class StoreUnavailable extends Error {}
