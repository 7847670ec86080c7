import { StoreUnavailable } from '../blobs/blob-store.ts';

/** A file as it has to arrive. `signal` gives up a transfer that is under way. */
export interface Expected {
  readonly hash: string;
  readonly size: number;
  readonly signal: AbortSignal | undefined;
}

/** The bucket of a place does not answer as it should: an outage, as that of the store of the service is. */
export class PlaceUnavailable extends StoreUnavailable {}

/** What an operator can do about it. */
export const placeAdvice =
  'Check its address (BACKUP_TO, or that of the command), its credentials and their permissions.';

/**
 * A place for backups: a folder, or a part of an S3 bucket. Paths have slashes, and cannot lead out of it.
 */
export interface BackupPlace {
  /** The name for people, without credentials. */
  readonly name: string;
  /**
   * A local folder in which files are made before they are moved to the place. It is there once the place was
   * prepared, until it is closed.
   */
  readonly scratch: string;
  /**
   * Prepares the place for writing.
   * @throws `BackupError` if it holds something else, or if another backup is being taken there
   */
  prepare(): Promise<void>;
  /** Lists all files whose path begins with `prefix`, in no order; none if there is no such place. */
  list(prefix: string): AsyncIterable<{ readonly path: string; readonly size: number }>;
  /** Opens a file; resolves with null if there is none. */
  open(path: string): Promise<AsyncIterable<Buffer> | null>;
  /** Moves a file from `scratch` into the place. It appears there complete, or not at all. */
  put(path: string, file: string, expected: Expected): Promise<void>;
  /** Replaces a small text file. At any time either the old or the new text is there. */
  write(path: string, text: string): Promise<void>;
  /** Deletes a file. A missing file is not an error. */
  delete(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Returns the text of a small file; null if there is none. */
export async function readSmall(place: BackupPlace, path: string): Promise<string | null> {
  const chunks = await place.open(path);
  return chunks && Buffer.concat(await Array.fromAsync(chunks)).toString('utf8');
}
