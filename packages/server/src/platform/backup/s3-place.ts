import { createReadStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { StoreUnavailable } from '../blobs/blob-store.ts';
import { tellingOutage } from '../blobs/s3-body.ts';
import { S3Connection, usualTiming } from '../blobs/s3-connection.ts';
import { requireTag, S3Upload } from '../blobs/s3-upload.ts';
import { parseS3Url } from '../blobs/s3-url.ts';
import { type BackupPlace, type Expected, PlaceUnavailable } from './place.ts';
import { ScratchFolder } from './scratch-folder.ts';

/** Backups as objects `<prefix><path>` of a bucket. Files are made in a local temporary folder first. */
export class S3Place implements BackupPlace {
  readonly name: string;
  readonly #scratch: ScratchFolder;
  readonly #connection: S3Connection;
  readonly #bucket: string;
  readonly #prefix: string;

  /** @param temporaryFolder a local folder with room for all rows of a backup */
  constructor(url: string, temporaryFolder: string) {
    const location = parseS3Url(url);
    this.name = `s3://${location.bucket}/${location.prefix}`;
    this.#scratch = new ScratchFolder(join(temporaryFolder, 'backup'), this.name);
    this.#connection = new S3Connection(location, usualTiming);
    this.#bucket = location.bucket;
    this.#prefix = location.prefix;
  }

  get scratch(): string {
    return this.#scratch.path;
  }

  async prepare(): Promise<void> {
    await this.#asked(this.#connection.ping());
    await this.#scratch.make();
  }

  async *list(prefix: string): AsyncIterable<{ path: string; size: number }> {
    let after: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: this.#prefix + prefix,
        ...(after === undefined ? {} : { ContinuationToken: after }),
      });
      const page = await this.#asked(
        this.#connection.ask(
          (client, options) => client.send(command, options),
          this.#connection.timing.listMs,
        ),
      );
      for (const { Key = '', Size = 0 } of page.Contents ?? [])
        yield { path: Key.slice(this.#prefix.length), size: Size };
      after = page.NextContinuationToken;
    } while (after !== undefined);
  }

  async open(path: string): Promise<AsyncIterable<Buffer> | null> {
    const get = new GetObjectCommand(this.#object(path));
    try {
      const { Body } = await this.#asked(
        this.#connection.ask((client, options) => client.send(get, options)),
      );
      if (Body instanceof Readable) return tellingOutage(Body, (cause) => this.#outage(cause));
      throw this.#outage(new Error('it answered without the body that it was asked for'));
    } catch (error) {
      const refusal = error instanceof StoreUnavailable ? error.cause : null;
      const isLacking = refusal instanceof S3ServiceException && refusal.name === 'NoSuchKey';
      if (isLacking) return null;
      throw error;
    }
  }

  async put(path: string, file: string, expected: Expected): Promise<void> {
    const upload = new S3Upload(this.#connection, this.#object(path), expected.signal);
    try {
      await this.#asked(upload.send(createReadStream(file) as AsyncIterable<Uint8Array>, expected));
    } catch (error) {
      await upload.remove();
      throw error;
    } finally {
      await unlink(file).catch(() => {});
    }
  }

  async write(path: string, text: string): Promise<void> {
    const command = new PutObjectCommand({ ...this.#object(path), Body: text });
    const written = async () => {
      const { ETag } = await this.#connection.send((client, options) => client.send(command, options));
      requireTag(ETag);
    };
    await this.#asked(written());
  }

  async delete(path: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#object(path));
    await this.#asked(this.#connection.ask((client, options) => client.send(command, options)));
  }

  async close(): Promise<void> {
    this.#connection.client.destroy();
    await this.#scratch.remove();
  }

  /** @throws `PlaceUnavailable` in place of what says that the store of the service does not answer */
  async #asked<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw this.#outage(error.cause ?? error);
    }
  }

  #outage(cause: unknown): PlaceUnavailable {
    return new PlaceUnavailable(`The place ${this.name} cannot be used`, { cause });
  }

  #object(path: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + path };
  }
}
