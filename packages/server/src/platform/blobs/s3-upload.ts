import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { StoreUnavailable } from './blob-store.ts';
import { inBuffers } from './gather.ts';
import type { S3Connection } from './s3-connection.ts';
import { verified } from './verified.ts';

/**
 * The least S3 takes for a part. What is at most this long is sent at once. A writer holds two in memory: one
 * being sent, one being gathered.
 */
const partBytes = 5 * 1024 * 1024;

/** One object on its way to the store. It comes to be only after its last byte was verified. */
export class S3Upload {
  readonly #connection: S3Connection;
  readonly #object: { Bucket: string; Key: string };
  /** Set once the store may know of the object, so that there may be something to remove. */
  #begun = false;
  #uploadId: string | undefined;
  /** Set once the parts may be an object, whatever was answered. */
  #joined = false;
  #sending: Promise<CompletedPart> | undefined;
  /** Rejects as soon as a part does, however long the next one takes to come. */
  readonly #failure = Promise.withResolvers<never>();

  constructor(connection: S3Connection, object: { Bucket: string; Key: string }) {
    this.#connection = connection;
    this.#object = object;
    this.#failure.promise.catch(() => {});
  }

  /** @throws what `verified` throws, and `StoreUnavailable` */
  async send(source: AsyncIterable<Uint8Array>, expected: { hash: string; size: number }): Promise<void> {
    const parts = inBuffers(verified(unless(this.#failure.promise, source), expected), partBytes);
    if (expected.size > partBytes) return this.#sendInParts(parts);
    let whole: Uint8Array = new Uint8Array();
    for await (const part of parts) whole = part;
    await this.#sendWhole(whole);
  }

  /** After a failed `send`: takes back what reached the store. Never throws. */
  async remove(): Promise<void> {
    if (!this.#begun) return;
    // A part that arrives after the abort would stay for ever.
    await this.#sending?.catch(() => {});
    // Where the store is away: an object without a row is found by the collector, an upload by the bucket's rule.
    if (this.#uploadId) await this.#abort(this.#uploadId).catch(() => {});
    if (!this.#uploadId || this.#joined) await this.#delete().catch(() => {});
  }

  async #abort(uploadId: string): Promise<void> {
    const command = new AbortMultipartUploadCommand({ ...this.#object, UploadId: uploadId });
    await this.#connection.ask((client, options) => client.send(command, options));
  }

  async #delete(): Promise<void> {
    const command = new DeleteObjectCommand(this.#object);
    await this.#connection.ask((client, options) => client.send(command, options));
  }

  async #sendWhole(body: Uint8Array): Promise<void> {
    await this.#connection.proven();
    this.#begun = true;
    const command = new PutObjectCommand({ ...this.#object, Body: body, ContentLength: body.byteLength });
    await this.#connection.send((client, options) => client.send(command, options));
  }

  async #sendInParts(parts: AsyncIterable<Uint8Array>): Promise<void> {
    const sent: CompletedPart[] = [];
    for await (const part of parts) {
      if (this.#sending) sent.push(await this.#sending);
      else await this.#begin();
      this.#sending = this.#sendPart(part, sent.length + 1);
      this.#sending.catch(this.#failure.reject);
    }
    if (this.#sending) sent.push(await this.#sending);
    this.#joined = true;
    const command = new CompleteMultipartUploadCommand({
      ...this.#object,
      UploadId: this.#uploadId,
      MultipartUpload: { Parts: sent },
    });
    await this.#connection.send((client, options) => client.send(command, options));
  }

  async #begin(): Promise<void> {
    await this.#connection.proven();
    this.#begun = true;
    const command = new CreateMultipartUploadCommand(this.#object);
    const { UploadId } = await this.#connection.ask((client, options) => client.send(command, options));
    if (UploadId === undefined) throw new StoreUnavailable('the blob store began an upload without an id');
    this.#uploadId = UploadId;
  }

  async #sendPart(body: Uint8Array, number: number): Promise<CompletedPart> {
    const command = new UploadPartCommand({
      ...this.#object,
      UploadId: this.#uploadId,
      PartNumber: number,
      Body: body,
      ContentLength: body.byteLength,
    });
    const { ETag } = await this.#connection.send((client, options) => client.send(command, options));
    return { ETag, PartNumber: number };
  }
}

/** Passes a source on, until it is over or the other one fails: then nobody waits for what comes next. */
async function* unless(
  failure: Promise<never>,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), failure]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not waited for: it may be in the middle of its own waiting.
    chunks.return?.().catch(() => {});
  }
}
