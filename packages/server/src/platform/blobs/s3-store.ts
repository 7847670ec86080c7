import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { isBlobKey, keyFor } from './blob-key.ts';
import { BlobGone, type BlobStore, StoreUnavailable } from './blob-store.ts';
import { S3Connection, type S3Timing, usualTiming } from './s3-connection.ts';
import { S3Upload } from './s3-upload.ts';
import { parseS3Url } from './s3-url.ts';

/**
 * Blobs as objects `<prefix><key>` of an S3-compatible store; `url` as `parseS3Url` reads it.
 * @throws `Error` for a malformed one; does not ask the store, so that a service can start before it
 */
export async function openS3Store(url: string, timing: S3Timing = usualTiming): Promise<BlobStore> {
  const location = parseS3Url(url);
  return new S3Store(new S3Connection(location, timing), location.bucket, location.prefix);
}

class S3Store implements BlobStore {
  readonly #connection: S3Connection;
  readonly #bucket: string;
  readonly #prefix: string;
  /** Removals of what failed half way, which nobody need wait for. */
  readonly #removals = new Set<Promise<void>>();

  constructor(connection: S3Connection, bucket: string, prefix: string) {
    this.#connection = connection;
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  async write(
    source: AsyncIterable<Uint8Array>,
    expected: { hash: string; size: number },
    givenKey?: string,
  ): Promise<string> {
    const key = keyFor(expected.hash, givenKey);
    const upload = new S3Upload(this.#connection, this.#object(key));
    try {
      await upload.send(source, expected);
      return key;
    } catch (error) {
      const removal = upload.remove().finally(() => this.#removals.delete(removal));
      this.#removals.add(removal);
      throw error;
    }
  }

  async size(key: string): Promise<number> {
    if (!isBlobKey(key)) throw new BlobGone(`no blob ${key}`);
    const head = new HeadObjectCommand(this.#object(key));
    try {
      const { ContentLength } = await this.#connection.ask((client, options) => client.send(head, options));
      return ContentLength ?? 0;
    } catch (error) {
      const refusal = error instanceof StoreUnavailable ? error.cause : null;
      if (!(refusal instanceof S3ServiceException) || refusal.$metadata.httpStatusCode !== 404) throw error;
      // An answer without a body does not say whether it is the file or the whole bucket that is not there.
      await this.ping();
      throw new BlobGone(`no blob ${key}`);
    }
  }

  /** What was begun in parts is ended by the bucket's own rule. */
  async sweep(): Promise<void> {}

  async open(key: string, range?: { start: number; end: number }): Promise<Readable> {
    if (!isBlobKey(key)) throw new BlobGone(`no blob ${key}`);
    const get = new GetObjectCommand({
      ...this.#object(key),
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    });
    try {
      const { Body, ContentLength, $metadata } = await this.#connection.ask((client, options) =>
        client.send(get, options),
      );
      if (Body instanceof Readable) {
        const isAsked = !range || $metadata.httpStatusCode === 206 || covers(range, ContentLength);
        if (isAsked) return Body;
        // Some stores do not know ranges, or not all of them: what they give instead is not to be taken for one.
        Body.destroy();
      }
    } catch (error) {
      const refusal = error instanceof StoreUnavailable ? error.cause : null;
      if (!(refusal instanceof S3ServiceException)) throw error;
      const status = refusal.$metadata.httpStatusCode;
      // A range that begins past the end has no bytes, as in a folder.
      if (status === 416) return Readable.from([]);
      if (status !== 404) throw error;
      // What is lacking may also be the bucket; and some stores say 404 to whom they do not know.
      if (refusal.name !== 'NoSuchKey') await this.ping();
      throw new BlobGone(`no blob ${key}`);
    }
    throw new StoreUnavailable('the blob store answered without the body that it was asked for');
  }

  async read(key: string): Promise<Buffer> {
    const body = await this.open(key);
    const bytes = await buffer(body).catch((error: unknown) => {
      throw new StoreUnavailable('the blob store broke off', { cause: error });
    });
    // What is read whole is kept in memory and given to many.
    if (!key.startsWith(`${createHash('sha256').update(bytes).digest('hex')}-`))
      throw new StoreUnavailable(`the blob store gave other bytes than those of ${key}`);
    return bytes;
  }

  async delete(key: string): Promise<void> {
    if (!isBlobKey(key)) return;
    const command = new DeleteObjectCommand(this.#object(key));
    await this.#connection.ask((client, options) => client.send(command, options));
  }

  /** `writtenAt` of a blob sent in parts is, on AWS, the instant its upload began. */
  async *list(): AsyncIterable<{ key: string; writtenAt: number }> {
    let after: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: this.#prefix,
        ...(after === undefined ? {} : { ContinuationToken: after }),
      });
      const page = await this.#connection.ask(
        (client, options) => client.send(command, options),
        this.#connection.timing.listMs,
      );
      for (const { Key = '', LastModified } of page.Contents ?? []) {
        const key = Key.slice(this.#prefix.length);
        if (isBlobKey(key) && LastModified) yield { key, writtenAt: LastModified.getTime() };
      }
      after = page.NextContinuationToken;
    } while (after !== undefined);
  }

  ping(): Promise<void> {
    return this.#connection.ping();
  }

  async close(): Promise<void> {
    await Promise.all(this.#removals);
    this.#connection.client.destroy();
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }
}

function covers({ start, end }: { start: number; end: number }, size: number | undefined): boolean {
  return start === 0 && size !== undefined && end >= size - 1;
}
