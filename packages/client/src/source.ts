/** The bytes of a file, in one of the forms that sources have. */
export type FileBody = Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>;

/**
 * One file to publish. `size` is in bytes. `sha256` has 64 lower-case hex digits, for exactly the bytes of
 * `open`.
 */
export interface SourceFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** May be called more than once, because a failed upload starts again. */
  open(): Promise<FileBody>;
}

/** A source to publish: a folder on disk, files dropped on a page, an archive. */
export interface PublishSource {
  readonly files: readonly SourceFile[];
}

export interface UploadRequest {
  /** Absolute address. It authorises the upload itself, so no credential is sent with it. */
  readonly url: string;
  readonly file: SourceFile;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of bytes when they are handed to the network. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * PUTs one file's bytes. It never retries: the pool does, because it can get fresh links.
 * @throws ApiError if the answer is an error, ConnectionError if no answer came, or the signal's reason
 */
export type UploadTransport = ((request: UploadRequest) => Promise<void>) & {
  readonly batch?: BatchTransport;
};

/** A small file of a batch, with the address of its own upload. */
export interface BatchPart {
  readonly url: string;
  readonly file: SourceFile;
}

export interface BatchRequest {
  /** Absolute address. */
  readonly url: string;
  readonly parts: readonly BatchPart[];
  readonly signal: AbortSignal | undefined;
}

/**
 * POSTs several small files at once: for each a line with its address, then its bytes. It rejects as an
 * `UploadTransport` does; some of the files may be stored then.
 */
export type BatchTransport = (request: BatchRequest) => Promise<void>;

/** A file no longer has the size and hash that were read before. */
export class FileChangedError extends Error {
  constructor(path: string) {
    super(`${path} changed while it was being published; publish again when nothing writes to it.`);
    this.name = 'FileChangedError';
  }
}
