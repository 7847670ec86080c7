/** A request of the page to its worker. The answer has the same id. */
export type Ask =
  /** Opens a zip and lists its files. */
  | { readonly id: number; readonly ask: 'open'; readonly zip: File }
  /** Hashes files: `file` is null for one of the opened zip. */
  | { readonly id: number; readonly ask: 'hash'; readonly files: readonly HashFile[] }
  /** Inflates one file of the opened zip. */
  | { readonly id: number; readonly ask: 'read'; readonly path: string };

export interface HashFile {
  readonly path: string;
  readonly file: File | null;
}

export interface ZipFile {
  readonly path: string;
  /** Size after inflation according to the zip. The worker checks it while hashing. */
  readonly size: number;
}

export interface Hashed {
  /** Path → 64 lower-case hex digits, for the files finished since the last message. */
  readonly hashes: readonly (readonly [path: string, sha256: string])[];
  /** Bytes read since the last message. */
  readonly bytes: number;
}

export type Answer =
  | { readonly id: number; readonly progress: Hashed }
  | { readonly id: number; readonly result: readonly ZipFile[] | Blob | null }
  /** A sentence for the person who dropped the files. */
  | { readonly id: number; readonly error: string };
