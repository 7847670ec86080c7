import { StoreUnavailable } from '../platform/blobs/blob-store.ts';
import { ServiceError } from '../platform/errors.ts';
import type { SizeLimits } from '../versions/manifest.ts';

/** One entry of an archive, or a part of form data. */
export interface Entry {
  /** The name as the archive has it. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Why it cannot be published, to go behind its name: "«name» is a link". */
  readonly problem: string | null;
  /** The size that the archive declares. */
  readonly size: number;
  /** Its bytes, to be read before the next entry is asked for. */
  read(): AsyncIterable<Uint8Array>;
}

/** Reads the entries, in the same order each time. */
export type Entries = () => AsyncIterable<Entry>;

/** Thrown for a body that unpacks to far more than its size. */
const mostTimesPacked = 200;
const alwaysFineBytes = 16 * 1024 * 1024;
/** What a tar adds to each file, and what is left out of it. */
const overheadBytes = 16 * 1024 * 1024;

/** The most bytes that an archive of a version can have. */
export function maxArchiveBytes({ maxVersionBytes }: SizeLimits): number {
  return maxVersionBytes + overheadBytes;
}

/** @throws `too_large` if so many bytes out of so small an archive cannot be an honest folder */
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

/** Makes a refusal of an error of an archive reader: all errors but our own are the archive's fault. */
export function brokenArchive(error: unknown): unknown {
  if (error instanceof ServiceError || error instanceof StoreUnavailable) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new ServiceError(
    'invalid_files',
    `The archive cannot be read: ${why.slice(0, 200).toWellFormed()}.`,
  );
}
