import type { AnswerOf, Operation } from '@spaceport/contract/operation';
import { idempotencyHeader } from '@spaceport/contract/server-calls';
import { claimHeader } from '@spaceport/contract/versions';
import {
  ApiError,
  ConnectionError,
  type MeaningOf,
  notTheServiceCode,
  readApiError,
  titleIn,
} from './api-error.ts';
import type { CallArguments, CallInput, CallOptions } from './call-types.ts';
import type { BytesBody, Fetch, FetchAnswer, FetchInit } from './fetch.ts';
import { defaultRetryPolicy, noRetries, type RetryPolicy, withRetries } from './retry.ts';
import { sendingMs, sizeOf } from './sending-time.ts';

/** Hears how a call goes on, to tell somebody who waits for it. */
export interface CallWatch {
  /** No try has succeeded, and after `delayMs` follows the next one. @param tries so far */
  retrying(error: unknown, tries: number, delayMs: number): void;
  /** The call has ended, well or not. */
  ended(): void;
}

export interface ClientOptions {
  /** Address of the service, without a path: `https://spaceport.example`. */
  baseUrl: string;
  /** An API token, or for the server-to-server operations the space's board secret. */
  token?: string | undefined;
  /** The claim token of an unlisted publish. */
  claim?: string | undefined;
  fetch?: Fetch | undefined;
  userAgent?: string | undefined;
  /** Changes to `defaultRetryPolicy`, or false to try every call only once. */
  retry?: Partial<RetryPolicy> | false | undefined;
  /**
   * Milliseconds after which a call fails; a long-poll adds its own wait, and a body the time that it takes on a slow
   * line. Default 60,000.
   */
  timeoutMs?: number | undefined;
  /**
   * Returns whether JSON can be an answer of the operation, and not of another server (`contract/may-answer`). Pages do
   * without: they have no schemas, and their own server answers them.
   */
  mayAnswer?: ((operation: Operation, answer: unknown) => boolean) | undefined;
  /**
   * Is called when a call begins.
   * @param usualMs how long it takes by its nature: a long-poll's wait, and a large body on a slow line
   * @param limitMs how long a try may take
   */
  watch?: ((usualMs: number, limitMs: number) => CallWatch) | undefined;
}

/**
 * Calls operations, each given as an object of the contract. It brings no operation along, so a page holds
 * only those that it names.
 */
export interface Caller {
  readonly baseUrl: string;
  readonly retry: RetryPolicy;
  /**
   * Calls an operation and returns the parsed body of its answer.
   * @throws ApiError when the service answers with an error, ConnectionError when no answer came, the
   * signal's reason when aborted.
   */
  call<Op extends Operation>(operation: Op, ...input: CallArguments<Op>): Promise<AnswerOf<Op>>;
}

/** @param meaningOf gives an error without a sentence its words; without it, its code */
export function createCaller(options: ClientOptions, meaningOf?: MeaningOf): Caller {
  const calls = new Calls(options, meaningOf);
  const caller = {
    baseUrl: calls.baseUrl,
    retry: calls.retry,
    call: (operation: Operation, input?: CallInput, more?: CallOptions) => calls.call(operation, input, more),
  };
  // The types of an operation say what is sent and answered.
  return caller as unknown as Caller;
}

/** Credentials for which no token is sent. A browser sends its session cookie automatically. */
const withoutToken: ReadonlySet<Operation['credential']> = new Set([
  'none',
  'claim',
  'session',
  'own_page',
  'player',
]);

class Calls {
  readonly baseUrl: string;
  readonly retry: RetryPolicy;
  readonly #options: ClientOptions;
  readonly #fetch: Fetch;
  readonly #meaningOf: MeaningOf | undefined;

  constructor(options: ClientOptions, meaningOf: MeaningOf | undefined) {
    this.baseUrl = options.baseUrl.replace(/\/+$/u, '');
    this.retry = options.retry === false ? noRetries : { ...defaultRetryPolicy, ...options.retry };
    this.#options = options;
    this.#meaningOf = meaningOf;
    // A browser's fetch throws if it is called as a method of another object.
    this.#fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));
  }

  async call(operation: Operation, input: CallInput = {}, options: CallOptions = {}): Promise<unknown> {
    const url = this.baseUrl + addressOf(operation, input);
    const init = this.#requestOf(operation, input, options);
    const waitMs = Number(input.query?.wait ?? 0) * 1_000;
    const ownMs = options.timeoutMs ?? this.#options.timeoutMs ?? 60_000;
    const usualMs = waitMs + sendingMs(sizeOf(init.body));
    const timeoutMs = ownMs + usualMs;
    const watch = this.#options.watch?.(usualMs, timeoutMs);
    try {
      return await withRetries(() => this.#once(operation, url, init, timeoutMs, options), {
        policy: this.retry,
        signal: options.signal,
        mayRetry: (error) => {
          // A stream is sent only once.
          if (init.body instanceof ReadableStream || isUsedUp(operation, error)) return false;
          if (hasHeader(options.headers, idempotencyHeader)) return true;
          return !isTimeout(error) && mayRepeat(operation);
        },
        onRetry: watch?.retrying,
      });
    } finally {
      watch?.ended();
    }
  }

  #requestOf(operation: Operation, input: CallInput, options: CallOptions): Omit<FetchInit, 'signal'> {
    const { token, claim, userAgent } = this.#options;
    const headers: Record<string, string> = { accept: 'application/json' };
    for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = value;
    if (userAgent !== undefined) headers['user-agent'] = userAgent;
    if (token !== undefined && !withoutToken.has(operation.credential)) {
      headers.authorization = `Bearer ${token}`;
    }
    const claimInBody = operation.id === 'createVersion' || operation.id === 'finishVersion';
    const { credential, media } = operation;
    const takesClaim =
      credential === 'claim' || credential === 'token_or_claim' || (credential === 'token_or_none' && media);
    if (claim !== undefined && takesClaim && !claimInBody) headers[claimHeader] = claim;

    const init = { method: operation.method, headers, redirect: 'manual' } as const;
    let body = input.body;
    if (claim !== undefined && claimInBody) body = { claim, ...(body ?? {}) };
    if (body === undefined) return init;
    if (operation.media) {
      headers['content-type'] ??= operation.media[0] ?? '';
      return { ...init, body: body as BytesBody, duplex: 'half' };
    }
    headers['content-type'] = 'application/json';
    return { ...init, body: JSON.stringify(body) };
  }

  async #once(
    operation: Operation,
    url: string,
    init: Omit<FetchInit, 'signal'>,
    timeoutMs: number,
    { signal, onHeaders }: CallOptions,
  ): Promise<unknown> {
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: FetchAnswer;
    let text: string;
    try {
      response = await this.#fetch(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      text = await response.text();
    } catch (error) {
      signal?.throwIfAborted();
      throw new ConnectionError(this.baseUrl, timeout.aborted ? timeout.reason : error);
    }
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      throw redirected(url, response);
    }
    if (!response.ok) {
      const header = (name: string) => response.headers.get(name);
      throw readApiError({ status: response.status, header, text, url }, this.#meaningOf);
    }
    const answer = parsed(text);
    if (answer === undefined || this.#options.mayAnswer?.(operation, answer) === false)
      throw strange(url, response.status, text);
    onHeaders?.(response.headers);
    return answer;
  }
}

/** A call that has taken its whole time is not tried again: somebody waits. A publish that has begun goes on. */
function isTimeout(error: unknown): boolean {
  return (
    error instanceof ConnectionError && error.cause instanceof Error && error.cause.name === 'TimeoutError'
  );
}

function hasHeader(headers: Record<string, string> | undefined, wanted: string): boolean {
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === wanted);
}

/** Returns the value of JSON, or undefined of anything else. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error for an answer without an error that the service does not give. */
function strange(url: string, status: number, text: string): ApiError {
  const message = `${url} answered as the service does not; is the address of the service right?`;
  return new ApiError({ status, code: notTheServiceCode, message, details: titleIn(text), url });
}

/**
 * The error for a redirect. Redirects are not followed: a POST would become a GET, and a token could leak.
 */
function redirected(url: string, response: FetchAnswer): ApiError {
  const location = response.headers.get('location');
  const message = `${url} redirects${location ? ` to ${location}` : ''}; use the service's own address.`;
  const isAddress = location !== null && URL.canParse(location, url);
  const details = isAddress ? { location: new URL(location, url).href } : {};
  return new ApiError({ status: response.status, code: notTheServiceCode, message, details, url });
}

function addressOf(operation: Operation, input: CallInput): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_match, name: string) => {
    const value = input.params?.[name];
    if (value === undefined || value === '')
      throw new TypeError(`${operation.id} needs the parameter ${name}`);
    if (value === '.' || value === '..') throw nothingNamed(value);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

/** No id is a dot or two, which would make another address. */
function nothingNamed(value: string): ApiError {
  return new ApiError({
    status: 404,
    code: 'not_found',
    message: `There is nothing of the name «${value}».`,
  });
}

const repeatablePosts = new Set(['finishVersion', 'freshUploads', 'createVersion']);

/**
 * Returns whether a failed call without an Idempotency-Key may be sent again. Reads, PUT, DELETE and finish
 * may: repeating them has no further effect. A create may: at worst it leaves an unfinished version, which the
 * service deletes.
 */
function mayRepeat({ method, id }: Operation): boolean {
  return method === 'POST' ? repeatablePosts.has(id) : method !== 'PATCH';
}

const publishes = new Set(['createVersion', 'publishArchive']);

/** Returns whether a publish was refused because there were too many: another try would count too. */
function isUsedUp({ id }: Operation, error: unknown): boolean {
  return publishes.has(id) && error instanceof ApiError && error.status === 429;
}
