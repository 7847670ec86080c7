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
 * The smallest part that S3 accepts. Smaller objects are sent at once. A writer holds two parts in memory:
 * one that is being sent, and one that is being gathered.
 */
const partBytes = 5 * 1024 * 1024;

/** The upload of one object. The object only comes into being after its last byte was verified. */
export class S3Upload {
  readonly #connection: S3Connection;
  readonly #object: { Bucket: string; Key: string };
  /** True once the store may have something to remove. */
  #begun = false;
  #uploadId: string | undefined;
  /** True once the parts may have become an object, whatever the response was. */
  #joined = false;
  #sending: Promise<CompletedPart> | undefined;
  /** Rejects as soon as a part fails, even while the next one is still gathered. */
  readonly #failure = Promise.withResolvers<never>();

  readonly #signal: AbortSignal | undefined;

  /** @param signal gives up what is being sent */
  constructor(
    connection: S3Connection,
    object: { readonly Bucket: string; readonly Key: string },
    signal?: AbortSignal,
  ) {
    this.#connection = connection;
    this.#object = object;
    this.#signal = signal;
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

  /** Removes what reached the store. Call it after a failed `send`. It never throws. */
  async remove(): Promise<void> {
    if (!this.#begun) return;
    // A part that arrives after the abort would stay forever.
    await this.#sending?.catch(() => {});
    // If the store is down, the collector deletes the object without a row, and the bucket's rule ends the
    // upload.
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
    const { ETag } = await this.#connection.send(
      (client, options) => client.send(command, options),
      this.#signal,
    );
    requireTag(ETag);
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
    await this.#connection.send((client, options) => client.send(command, options), this.#signal);
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
    const { ETag } = await this.#connection.send(
      (client, options) => client.send(command, options),
      this.#signal,
    );
    return { ETag: requireTag(ETag), PartNumber: number };
  }
}

/**
 * Returns the tag that a store gives for bytes that it has.
 * @throws `StoreUnavailable` if there is none: a page of a proxy, or an error within a 200, is no such answer
 */
export function requireTag(tag: string | undefined): string {
  if (tag === undefined) throw new StoreUnavailable('the blob store did not say that it has what was sent');
  return tag;
}

/**
 * Passes a source on until it ends or `failure` rejects. After a rejection nobody waits for the next chunk.
 */
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
    // Not awaited: the source may be waiting itself.
    chunks.return?.().catch(() => {});
  }
}
