import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { isBlobKey, keyFor } from './blob-key.ts';
import { BlobGone, type BlobStore, ownerFile, StoreUnavailable } from './blob-store.ts';
import { tellingOutage } from './s3-body.ts';
import { S3Connection, type S3Timing, usualTiming } from './s3-connection.ts';
import { requireTag, S3Upload } from './s3-upload.ts';
import { parseS3Url } from './s3-url.ts';

/**
 * Opens a store of objects `<prefix><key>` in an S3-compatible store. `parseS3Url` reads `url`. It sends no
 * request, so that a service can start before its store.
 * @throws `Error` for a malformed `url`
 */
export async function openS3Store(url: string, timing: S3Timing = usualTiming): Promise<BlobStore> {
  const location = parseS3Url(url);
  return new S3Store(new S3Connection(location, timing), location.bucket, location.prefix);
}

class S3Store implements BlobStore {
  readonly #connection: S3Connection;
  readonly #bucket: string;
  readonly #prefix: string;
  /** Removals after failed writes. Nobody has to wait for them. */
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
      // A response without a body does not say whether the object or the whole bucket is missing.
      await this.ping();
      throw new BlobGone(`no blob ${key}`);
    }
  }

  /** The bucket's own lifecycle rule ends abandoned multipart uploads. */
  async sweep(): Promise<void> {}

  async open(key: string, range?: { start: number; end: number }): Promise<Readable> {
    if (!isBlobKey(key)) throw new BlobGone(`no blob ${key}`);
    return this.#open(key, range);
  }

  async #open(name: string, range?: { start: number; end: number }): Promise<Readable> {
    const get = new GetObjectCommand({
      ...this.#object(name),
      ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
    });
    try {
      const { Body, ContentLength, $metadata } = await this.#connection.ask((client, options) =>
        client.send(get, options),
      );
      if (Body instanceof Readable) {
        const isAsked = !range || $metadata.httpStatusCode === 206 || covers(range, ContentLength);
        if (isAsked) return tellingOutage(Body);
        // Some stores do not support all ranges: their whole body must not be taken for the range.
        Body.destroy();
      }
    } catch (error) {
      const refusal = error instanceof StoreUnavailable ? error.cause : null;
      if (!(refusal instanceof S3ServiceException)) throw error;
      const status = refusal.$metadata.httpStatusCode;
      // A range that begins past the end is empty, as in a folder.
      if (status === 416) return Readable.from([]);
      if (status !== 404) throw error;
      // The bucket may be missing instead; and some stores answer 404 to unknown credentials.
      if (refusal.name !== 'NoSuchKey') await this.ping();
      throw new BlobGone(`no blob ${name}`);
    }
    throw new StoreUnavailable('the blob store answered without the body that it was asked for');
  }

  async read(key: string): Promise<Buffer> {
    const bytes = await whole(await this.open(key));
    // A blob that is read whole is kept in memory and given to many readers, so it is checked.
    if (!key.startsWith(`${createHash('sha256').update(bytes).digest('hex')}-`))
      throw new StoreUnavailable(`the blob store gave other bytes than those of ${key}`);
    return bytes;
  }

  async delete(key: string): Promise<void> {
    if (!isBlobKey(key)) return;
    const command = new DeleteObjectCommand(this.#object(key));
    await this.#connection.ask((client, options) => client.send(command, options));
  }

  /** On AWS, the `writtenAt` of a blob that was sent in parts is the instant at which its upload began. */
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

  async owner(): Promise<string | null> {
    try {
      return (await whole(await this.#open(ownerFile))).toString();
    } catch (error) {
      if (error instanceof BlobGone) return null;
      throw error;
    }
  }

  async claim(owner: string): Promise<void> {
    const command = new PutObjectCommand({ ...this.#object(ownerFile), Body: owner });
    const { ETag } = await this.#connection.ask((client, options) => client.send(command, options));
    requireTag(ETag);
  }

  ping(): Promise<void> {
    return this.#connection.ping();
  }

  async close(): Promise<void> {
    await Promise.all(this.#removals);
    this.#connection.client.destroy();
  }

  #object(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + name };
  }
}

async function whole(body: Readable): Promise<Buffer> {
  return buffer(body).catch((error: unknown) => {
    throw new StoreUnavailable('the blob store broke off', { cause: error });
  });
}

function covers({ start, end }: { start: number; end: number }, size: number | undefined): boolean {
  return start === 0 && size !== undefined && end >= size - 1;
}
