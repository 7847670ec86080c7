import { StoreUnavailable } from '../platform/blobs/blob-store.ts';
import { ServiceError } from '../platform/errors.ts';
import type { SizeLimits } from '../versions/manifest.ts';

/** One entry of an archive, or a part of form data. */
export interface Entry {
  /** The name as the archive has it. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Why the entry cannot be published, to follow its name: "«name» is a link"; null if it can. */
  readonly problem: string | null;
  /** The size in bytes that the archive declares. */
  readonly size: number;
  /** Reads the bytes. Call it before the next entry is requested. */
  read(): AsyncIterable<Uint8Array>;
}

/** Reads the entries, in the same order each time. */
export type Entries = () => AsyncIterable<Entry>;

/**
 * The limits above which an archive is taken for a bomb: its unpacked size as a multiple of its size, and a
 * size that is always allowed.
 */
const mostTimesPacked = 200;
const alwaysFineBytes = 16 * 1024 * 1024;
/** The most bytes for a tar's headers and for files that are not published. */
const overheadBytes = 16 * 1024 * 1024;

/** Returns the most bytes that an archive of a version may have. */
export function maxArchiveBytes({ maxVersionBytes }: SizeLimits): number {
  return maxVersionBytes + overheadBytes;
}

/** @throws `too_large` if the unpacked size is over the limit, or too large for the size of the archive */
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

/**
 * Converts an error of an archive reader to a refusal. All errors but the service's own
 * are blamed on the archive.
 */
export function brokenArchive(error: unknown): unknown {
  if (error instanceof ServiceError || error instanceof StoreUnavailable) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new ServiceError(
    'invalid_files',
    `The archive cannot be read: ${why.slice(0, 200).toWellFormed().replace(/\.$/u, '')}.`,
  );
}
