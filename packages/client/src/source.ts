/** The bytes of a file in whatever form its source has them. */
export type FileBody = Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>;

/** One file to publish. `size` is in bytes, `sha256` 64 lower-case hex digits of exactly what `open` gives. */
export interface SourceFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** May be called more than once: an upload that failed starts again. */
  open(): Promise<FileBody>;
}

/** What is published: a folder on disk, files dropped on a page, an archive. */
export interface PublishSource {
  readonly files: readonly SourceFile[];
}

export interface UploadRequest {
  /** Absolute. Carries its own right to upload: no credential is sent with it. */
  readonly url: string;
  readonly file: SourceFile;
  readonly signal: AbortSignal | undefined;
  /** Told of bytes as they are handed to the network. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * PUTs one file's bytes. Throws `ApiError` for an answer that is an error, `ConnectionError` for no answer, and
 * the signal's reason when aborted. Never retries: the pool does, and knows about fresh links.
 */
export type UploadTransport = (request: UploadRequest) => Promise<void>;

/** A file is no longer what its size and hash say. */
export class FileChangedError extends Error {
  constructor(path: string) {
    super(`${path} changed while it was being published; publish again when nothing writes to it.`);
    this.name = 'FileChangedError';
  }
}
