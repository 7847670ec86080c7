import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterListening } from '../clock/listening-time.ts';
import { StoreUnavailable } from './blob-store.ts';
import type { S3Location } from './s3-url.ts';

/** How long the store is waited for, in milliseconds. */
export interface S3Timing {
  /**
   * The limit of connecting. Two attempts fit into the two seconds in which an absent store has to be
   * noticed.
   */
  readonly connectMs: number;
  /** The limit until a response begins, for requests without a body. */
  readonly answerMs: number;
  /** The limit for one page of a list. */
  readonly listMs: number;
  /**
   * The limit for sending a body. It is long, because the store is known to answer other requests meanwhile.
   */
  readonly sendMs: number;
  /** After this time without a response to a body, the store is asked whether it is there. */
  readonly patienceMs: number;
  /**
   * The limit of that question. Together with `patienceMs`, it is the two seconds in which an absent store
   * has to be noticed.
   */
  readonly pulseMs: number;
}

export const usualTiming: S3Timing = {
  connectMs: 700,
  answerMs: 1_800,
  listMs: 10_000,
  sendMs: 30_000,
  patienceMs: 300,
  pulseMs: 1_400,
};

/** The limit of silence on a connection in use, such as in the middle of a body. */
const idleTimeoutMs = 30_000;
/**
 * While it waits, this process counts beats of this length. If it had less than half of the expected beats,
 * the process itself stood still.
 */
const beatMs = 50;
/** A response this recent proves that the store is there. */
const provenForMs = 5_000;

/** A client with time limits. Any failure that is not a response about a key becomes `StoreUnavailable`. */
export class S3Connection {
  readonly client: S3Client;
  readonly timing: S3Timing;
  readonly #bucket: string;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #pulsing: Promise<boolean> | undefined;

  constructor(location: S3Location, timing: S3Timing) {
    this.timing = timing;
    this.#bucket = location.bucket;
    this.client = new S3Client({
      region: location.region,
      ...(location.endpoint === null ? {} : { endpoint: location.endpoint }),
      ...(location.credentials === null ? {} : { credentials: location.credentials }),
      forcePathStyle: location.pathStyle,
      maxAttempts: 2,
      // Bodies are signed with their SHA-256 already, and not every store supports the newer checksum
      // headers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: timing.connectMs,
        socketTimeout: idleTimeoutMs,
        // Each file that is being served holds one connection, for as long as its reader is slow.
        httpAgent: { keepAlive: true, maxSockets: 1_000 },
        httpsAgent: { keepAlive: true, maxSockets: 1_000 },
      },
    });
  }

  /**
   * Returns the result of `request`.
   * @throws `StoreUnavailable`, whose `cause` is the store's error response if it sent one
   */
  async ask<T>(
    request: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    withinMs = this.timing.answerMs,
    gone?: AbortSignal,
  ): Promise<T> {
    const deadline = new AbortController();
    const late = Promise.withResolvers<never>();
    // The signal ends a request on the wire. The race also ends the search for credentials, which takes no
    // signal.
    const giveUp = (reason: Error) => {
      late.reject(reason);
      deadline.abort();
    };
    const cancel = afterListening(withinMs, () => giveUp(new Error(`no answer within ${withinMs} ms`)));
    const end = () => giveUp(gone?.reason);
    gone?.addEventListener('abort', end);
    try {
      gone?.throwIfAborted();
      const answer = await Promise.race([
        request(this.client, { abortSignal: deadline.signal }),
        late.promise,
      ]);
      this.#answeredAt = performance.now();
      return answer;
    } catch (error) {
      throw new StoreUnavailable('the blob store does not answer as it should', { cause: error });
    } finally {
      cancel();
      gone?.removeEventListener('abort', end);
    }
  }

  /**
   * Like `ask`, for a body. It gives up after half a minute, or as soon as the store answers no request at
   * all, which is noticed in less than two seconds.
   */
  async send<T>(
    request: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const gone = new AbortController();
    const { patienceMs, sendMs } = this.timing;
    let timer = setTimeout(look, patienceMs);
    let answered = false;
    const pulse = () => this.#pulse();
    async function look(): Promise<void> {
      const there = await pulse();
      if (answered) return;
      if (there) timer = setTimeout(look, patienceMs);
      else gone.abort(new Error('the store answers nobody'));
    }
    try {
      const either = signal === undefined ? gone.signal : AbortSignal.any([gone.signal, signal]);
      return await this.ask(request, sendMs, either);
    } finally {
      answered = true;
      clearTimeout(timer);
    }
  }

  async ping(withinMs = this.timing.answerMs): Promise<void> {
    const command = new HeadBucketCommand({ Bucket: this.#bucket });
    await this.ask((client, options) => client.send(command, options), withinMs);
  }

  /** Returns whether the store answers at all. Callers at the same time share one question. */
  async #pulse(): Promise<boolean> {
    this.#pulsing ??= this.#isThere().finally(() => {
      this.#pulsing = undefined;
    });
    return this.#pulsing;
  }

  async #isThere(): Promise<boolean> {
    const { pulseMs } = this.timing;
    const askedAt = performance.now();
    let beats = 0;
    const heart = setInterval(() => beats++, beatMs);
    try {
      await this.ping(pulseMs);
      return true;
    } catch {
      // The store has answered another request; or this process stood still, and could not receive the
      // answer.
      return this.#answeredAt > askedAt || beats < pulseMs / beatMs / 2;
    } finally {
      clearInterval(heart);
    }
  }

  /**
   * Asks a store that has not answered lately, before a body is sent: sending to a store that hangs may take
   * long.
   */
  async proven(): Promise<void> {
    if (performance.now() - this.#answeredAt < provenForMs) return;
    this.#asking ??= this.ping().finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }
}
