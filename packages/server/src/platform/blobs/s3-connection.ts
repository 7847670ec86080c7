import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { StoreUnavailable } from './blob-store.ts';
import type { S3Location } from './s3-url.ts';

export interface S3Timing {
  /** For a connection; of two attempts, so that both fit into the two seconds in which an absent store is to be noticed. */
  readonly connectMs: number;
  /** For an answer to begin where no body is sent. */
  readonly answerMs: number;
  /** For a page of a list. */
  readonly listMs: number;
  /** A body may take long to be sent, and is waited for while the store answers others. */
  readonly sendMs: number;
  /** What a body that gets no answer waits before the store is asked whether it is there. */
  readonly patienceMs: number;
  /** With the patience before it, the two seconds in which an absent store is to be noticed. */
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

/** Silence on a connection in use, e.g. in the middle of a body. */
const idleTimeoutMs = 30_000;
/** So often this process looks at the clock while it waits; where it came to it less than half of the time, it stood still. */
const beatMs = 50;
/** An answer this recent proves that the store is there. */
const provenForMs = 5_000;

/** A client that gives up in time, and says `StoreUnavailable` for everything that is not an answer about a key. */
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
      // Bodies are signed with their SHA-256 already, and not every store knows the newer checksum headers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: timing.connectMs,
        socketTimeout: idleTimeoutMs,
        // Each file being served holds one, for as long as its reader is slow.
        httpAgent: { keepAlive: true, maxSockets: 1_000 },
        httpsAgent: { keepAlive: true, maxSockets: 1_000 },
      },
    });
  }

  /**
   * What `request` answers.
   * @throws `StoreUnavailable`, whose cause is the store's refusal where it sent one
   */
  async ask<T>(
    request: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    withinMs = this.timing.answerMs,
    gone?: AbortSignal,
  ): Promise<T> {
    const deadline = new AbortController();
    const late = Promise.withResolvers<never>();
    // The signal ends what is on the wire; the race also ends a search for credentials, which knows no signal.
    const giveUp = (reason: Error) => {
      late.reject(reason);
      deadline.abort();
    };
    const timer = setTimeout(() => giveUp(new Error(`no answer within ${withinMs} ms`)), withinMs);
    const end = () => giveUp(gone?.reason);
    gone?.addEventListener('abort', end);
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
      gone?.removeEventListener('abort', end);
    }
  }

  /**
   * As `ask`, for a body: given up after half a minute, and as soon as the store turns out to answer nobody, which takes less
   * than two seconds.
   */
  async send<T>(
    request: (client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
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
      return await this.ask(request, sendMs, gone.signal);
    } finally {
      answered = true;
      clearTimeout(timer);
    }
  }

  async ping(withinMs = this.timing.answerMs): Promise<void> {
    const command = new HeadBucketCommand({ Bucket: this.#bucket });
    await this.ask((client, options) => client.send(command, options), withinMs);
  }

  /** Does the store answer at all? Those who ask at once share one question. */
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
      // It has answered somebody else; or this process stood still, and has not heard what was said.
      return this.#answeredAt > askedAt || beats < pulseMs / beatMs / 2;
    } finally {
      clearInterval(heart);
    }
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
