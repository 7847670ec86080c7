import { StoreUnavailable } from '../platform/blobs/blob-store.ts';
import { ServiceError } from '../platform/errors.ts';
import type { SizeLimits } from '../versions/manifest.ts';

/** One entry of an archive, or a part of form data. */
export interface Entry {
  /** As it is written there. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Why it cannot be published, as the end of "«name» …". */
  readonly problem: string | null;
  /** How long it says that it is. */
  readonly size: number;
  /** Its bytes, to be read before the next entry is asked for. */
  read(): AsyncIterable<Uint8Array>;
}

/** Entries in their order, the same each time. */
export type Entries = () => AsyncIterable<Entry>;

/** A body that unpacks into far more than it is. */
const mostTimesPacked = 200;
const alwaysFineBytes = 16 * 1024 * 1024;
/** What a tar adds to each file, and what is left out of it. */
const overheadBytes = 16 * 1024 * 1024;

/** The longest body that can hold a version. */
export function maxArchiveBytes({ maxVersionBytes }: SizeLimits): number {
  return maxVersionBytes + overheadBytes;
}

/** @throws `too_large` for what comes out of an archive of so many bytes and is no folder that somebody packed */
export function requireNoBomb(unpackedBytes: number, packedBytes: number, limits: SizeLimits): void {
  if (unpackedBytes > maxArchiveBytes(limits)) {
    const { maxVersionBytes } = limits;
    throw new ServiceError('too_large', `The archive unpacks to more than ${maxVersionBytes} bytes.`, {
      maxVersionBytes,
    });
  }
  if (unpackedBytes <= alwaysFineBytes || unpackedBytes <= packedBytes * mostTimesPacked) return;
  throw new ServiceError(
    'too_large',
    `The archive unpacks to more than ${mostTimesPacked} times its ${packedBytes} bytes.`,
    { maxVersionBytes: limits.maxVersionBytes },
  );
}

/** The error of a reader of archives, as a refusal: all but our own errors are the archive's fault. */
export function brokenArchive(error: unknown): unknown {
  if (error instanceof ServiceError || error instanceof StoreUnavailable) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new ServiceError(
    'invalid_files',
    `The archive cannot be read: ${why.slice(0, 200).toWellFormed()}.`,
  );
}
