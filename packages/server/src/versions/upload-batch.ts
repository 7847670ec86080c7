import { maxFiles } from '@spaceport/contract/versions';
import { release } from '../platform/blobs/release.ts';
import { ServiceError } from '../platform/errors.ts';
import type { UploadGrant } from '../platform/secrets/link-signer.ts';

/** Links have some 300 characters. */
const maxLinkBytes = 2_048;
/**
 * How much of a batch may wait for the disk at once. More makes it no faster, and 32 batches at once have to
 * have room in a network's share of the memory for bodies.
 */
const most = { files: 32, bytes: 256 * 1024 };

export interface StoredFile {
  readonly sha256: string;
  readonly size: number;
}

export interface BatchRules {
  readonly maxFileBytes: number;
  /** Returns what a link allows; null for a wrong one. */
  readonly readLink: (link: string) => UploadGrant | null;
  /** Receives a file, as if it came alone. It reads `source` to its end, or rejects. */
  readonly receive: (grant: UploadGrant, source: AsyncIterable<Uint8Array>) => Promise<StoredFile>;
}

/**
 * Receives several small files in one body: for each a line with its upload link, then as many bytes as the
 * link allows. It reads on while files are being stored, as long as little waits. The first file that is
 * refused ends the batch; any other file of it may be stored then.
 * @throws the error of that file, once no other file is being stored
 */
export async function receiveBatch(
  body: AsyncIterable<Uint8Array>,
  { maxFileBytes, readLink, receive }: BatchRules,
): Promise<StoredFile[]> {
  const reader = new BatchReader(body);
  const window = new Window();
  const files: Promise<StoredFile>[] = [];
  try {
    for (let link = await reader.line(); link !== null; link = await reader.line()) {
      const grant = readLink(link);
      if (!grant) throw wrongLink();
      if (grant.size > maxFileBytes) throw tooLarge(maxFileBytes);
      // A body of links to one empty file would have no end.
      if (files.length >= maxFiles) throw tooMany();
      await window.room(grant.size);
      const part = reader.file(grant.size);
      const file = window.hold(grant.size, receive(grant, part.source));
      files.push(file);
      // A file that is refused may not have been read.
      await Promise.race([part.isRead, file]);
    }
    return await Promise.all(files);
  } finally {
    reader.close();
    await Promise.allSettled(files);
  }
}

/** Counts what is being stored, and waits when it is too much. */
class Window {
  #files = 0;
  #bytes = 0;
  #failure: { readonly error: unknown } | null = null;
  #onEnd = () => {};

  /**
   * Resolves once there is room for another file.
   * @throws the first error of a file
   */
  async room(bytes: number): Promise<void> {
    while (this.#files > 0 && (this.#files >= most.files || this.#bytes + bytes > most.bytes))
      await new Promise<void>((resolve) => {
        this.#onEnd = resolve;
      });
    if (this.#failure) throw this.#failure.error;
  }

  /** Counts a file until it is stored or refused. */
  hold(bytes: number, file: Promise<StoredFile>): Promise<StoredFile> {
    this.#files += 1;
    this.#bytes += bytes;
    const end = () => {
      this.#files -= 1;
      this.#bytes -= bytes;
      this.#onEnd();
    };
    file.then(end, (error: unknown) => {
      this.#failure ??= { error };
      end();
    });
    return file;
  }
}

interface Part {
  readonly source: AsyncIterable<Uint8Array>;
  /** Resolves once all bytes of the file were read, or the body has ended. */
  readonly isRead: Promise<void>;
}

/** Reads lines and files from a body. */
class BatchReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Buffer = Buffer.alloc(0);
  /** How many bytes of the chunk were read. */
  #at = 0;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]();
  }

  /**
   * Returns the next line; null at the end of the body.
   * @throws `link_expired` for a line that is longer than a link, and for a last line without an end
   */
  async line(): Promise<string | null> {
    let line = '';
    while (await this.#hasMore()) {
      const end = this.#chunk.indexOf('\n', this.#at);
      const until = end === -1 ? this.#chunk.length : end;
      if (line.length + until - this.#at > maxLinkBytes) throw wrongLink();
      line += this.#chunk.toString('latin1', this.#at, until);
      this.#at = end === -1 ? until : end + 1;
      if (end !== -1) return line;
    }
    if (line !== '') throw wrongLink();
    return null;
  }

  /** Returns the next bytes as a file. Nothing is read before the source is. */
  file(bytes: number): Part {
    const { promise: isRead, resolve } = Promise.withResolvers<void>();
    const read = () => this.#read(bytes);
    async function* source() {
      const content = await read();
      resolve();
      yield content;
    }
    return { source: source(), isRead };
  }

  /** Returns the next bytes; fewer if the body ends before. They have memory of their own, which a store frees. */
  async #read(bytes: number): Promise<Buffer> {
    const content = Buffer.allocUnsafeSlow(bytes);
    let filled = 0;
    while (filled < bytes && (await this.#hasMore())) {
      const copied = this.#chunk.copy(content, filled, this.#at);
      this.#at += copied;
      filled += copied;
    }
    return content.subarray(0, filled);
  }

  /** Ends the body. If a read is under way, it ends after it, for which nobody waits. */
  close(): void {
    this.#chunks.return?.().catch(() => {});
  }

  async #hasMore(): Promise<boolean> {
    while (this.#at === this.#chunk.length) {
      release([this.#chunk]);
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      this.#at = 0;
    }
    return true;
  }
}

function wrongLink(): ServiceError {
  return new ServiceError('link_expired', 'An upload link is wrong or expired; ask for fresh ones.');
}

function tooMany(): ServiceError {
  return new ServiceError('too_many_files', `One request may have ${maxFiles} files, as many as a version.`, {
    maxFiles,
  });
}

function tooLarge(maxFileBytes: number): ServiceError {
  return new ServiceError(
    'too_large',
    `A file of more than ${maxFileBytes} bytes needs a request of its own, to its upload link.`,
  );
}
