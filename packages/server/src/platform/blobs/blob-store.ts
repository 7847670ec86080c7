import type { Readable } from 'node:stream';

/**
 * The file store. Every stored copy has a key of its own, `<hash>-<random>`. A key is written once, never
 * overwritten, and deleted by the code that deleted its row from the database. So storing and collecting the
 * same bytes at the same time cannot lose them, on any store, without a lock
 * (docs/decisions/0004-blob-keys.md).
 */
export interface BlobStore {
  /**
   * Streams `source` to a new key, and returns the key once the bytes are durable and have the expected
   * length and SHA-256. It never holds the whole source in memory. The store may release the memory of the
   * chunks, so the caller must not read a chunk again. `key` is given when a backup is restored, whose rows
   * name the old key.
   * @throws `BlobMismatch`, or `BlobTooLong` as soon as more than `expected.size` bytes came, or
   * `StoreUnavailable`; then nothing is left behind
   */
  write(
    source: AsyncIterable<Uint8Array>,
    expected: { hash: string; size: number },
    key?: string,
  ): Promise<string>;
  /**
   * Opens a blob, or a range of it. Both ends of `range` are inclusive, as in HTTP.
   * @throws `BlobGone` if there is no such key
   */
  open(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Returns the whole blob. For small ones. */
  read(key: string): Promise<Buffer>;
  /** Deletes a blob. A missing key is not an error. */
  delete(key: string): Promise<void>;
  /**
   * Returns the number of bytes under the key.
   * @throws `BlobGone`
   */
  size(key: string): Promise<number>;
  /** Deletes files that crashes left half written more than a day ago. */
  sweep(): Promise<void>;
  /**
   * Lists all keys, each with the instant of its writing, in no order: for finding keys that no row names.
   */
  list(): AsyncIterable<{ key: string; writtenAt: number }>;
  /** Returns the name that `claim` wrote; null if nobody has claimed the store. */
  owner(): Promise<string | null>;
  /** Writes, durably, who owns the store. It replaces the name of another owner. */
  claim(owner: string): Promise<void>;
  /**
   * Resolves when the store answers.
   * @throws `StoreUnavailable`
   */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export class BlobMismatch extends Error {}
export class BlobTooLong extends Error {}
export class BlobGone extends Error {}
export class StoreUnavailable extends Error {}

/** The file of a store that names its owner. It has no key, so that it is never listed. */
export const ownerFile = 'owner';

/** What an operator can do about it. */
export const storeAdvice =
  'Check BLOB_STORE, its credentials and their permissions; for a folder, its owner and the free space on its disk.';
