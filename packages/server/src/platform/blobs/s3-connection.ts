import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { StoreUnavailable } from './blob-store.ts';
import type { S3Location } from './s3-url.ts';

/** Of two attempts, so that both fit into the two seconds in which an absent store is to be noticed. */
const connectTimeoutMs = 700;
/** For an answer to begin where no body is sent. */
export const answerWithinMs = 1_800;
/** Silence on a connection in use, e.g. in the middle of a body. */
const idleTimeoutMs = 30_000;
/** An answer this recent proves that the store is there. */
const provenForMs = 5_000;

/** A client that gives up in time, and says `StoreUnavailable` for everything that is not an answer about a key. */
export class S3Connection {
  readonly client: S3Client;
  readonly #bucket: string;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(location: S3Location) {
    this.#bucket = location.bucket;
    this.client = new S3Client({
      region: location.region,
      ...(location.endpoint === null ? {} : { endpoint: location.endpoint }),
      ...(location.credentials === null ? {} : { credentials: location.credentials }),
      forcePathStyle: location.pathStyle,
      maxAttempts: 2,
      // Bodies are signed with their SHA-256 already, and not every store knows the newer checksum headers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: connectTimeoutMs,
        socketTimeout: idleTimeoutMs,
        // Each file being served holds one, for as long as its reader is slow.
        httpAgent: { keepAlive: true, maxSockets: 1_000 },
        httpsAgent: { keepAlive: true, maxSockets: 1_000 },
      },
    });
  }

  /** What `request` answers. Throws `StoreUnavailable`, whose cause is the store's refusal where it sent one. */
  async ask<T>(
    request: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    withinMs: number,
  ): Promise<T> {
    const deadline = new AbortController();
    const late = Promise.withResolvers<never>();
    // The signal ends what is on the wire; the race also ends a search for credentials, which knows no signal.
    const timer = setTimeout(() => {
      late.reject(new Error(`no answer within ${withinMs} ms`));
      deadline.abort();
    }, withinMs);
    try {
      const answer = await Promise.race([
        request(this.client, { abortSignal: deadline.signal }),
        late.promise,
      ]);
      this.#answeredAt = performance.now();
      return answer;
    } catch (error) {
      throw new StoreUnavailable('the blob store does not answer as it should', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  async ping(): Promise<void> {
    const command = new HeadBucketCommand({ Bucket: this.#bucket });
    await this.ask((client, options) => client.send(command, options), answerWithinMs);
  }

  /** Asks a store that has not answered lately, because a body may take long to send to one that hangs. */
  async proven(): Promise<void> {
    if (performance.now() - this.#answeredAt < provenForMs) return;
    this.#asking ??= this.ping().finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }
}
