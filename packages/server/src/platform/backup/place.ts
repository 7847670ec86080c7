/** Where backups are kept: a folder, or a part of an S3 bucket. Paths have slashes, and no way out. */
export interface BackupPlace {
  /** As people know it, without credentials. */
  readonly name: string;
  /** A folder of this machine in which files are made before they are put there; empty again once it is closed. */
  readonly scratch: string;
  /**
   * Makes it ready to be written to.
   * @throws `BackupError` where it holds something else
   */
  prepare(): Promise<void>;
  /** Everything whose path begins so, in no order; nothing where there is no such place. */
  list(prefix: string): AsyncIterable<{ readonly path: string; readonly size: number }>;
  /** The bytes of a file; null where there is none. */
  open(path: string): Promise<AsyncIterable<Buffer> | null>;
  /** Moves a file of `scratch` there: it is there whole, or not at all. */
  put(path: string, file: string, expected: { readonly hash: string; readonly size: number }): Promise<void>;
  /** Writes a few lines, in place of those that were there: either these or those are there at any time. */
  write(path: string, text: string): Promise<void>;
  /** Deleting what is not there is no error. */
  delete(path: string): Promise<void>;
  close(): Promise<void>;
}

/** All of a small file; null where there is none. */
export async function readSmall(place: BackupPlace, path: string): Promise<string | null> {
  const chunks = await place.open(path);
  return chunks && Buffer.concat(await Array.fromAsync(chunks)).toString('utf8');
}
