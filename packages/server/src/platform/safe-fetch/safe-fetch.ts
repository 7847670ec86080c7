import { pageText } from '@spaceport/contract/page-text';
import type { Dispatcher } from 'undici';
import { acceptedCodings, BodyTooLarge, collect, decode, firstBytes } from './bounded-body.ts';
import { connectChecked, type Resolve, resolveBySystem, secured } from './connect.ts';
import { FetchRefused } from './refusal.ts';
import { targetOf } from './target.ts';
import { type TargetRuleOptions, targetRule } from './target-rule.ts';

/** A page that was fetched with a 2xx status. */
export interface FetchedPage {
  /** The URL after redirects, without a fragment. */
  readonly finalUrl: string;
  readonly status: number;
  /** Names are in lower case. A header that was sent more than once is a list of its values in order. */
  readonly headers: FetchedHeaders;
  /** The decoded body; empty for HEAD. */
  readonly body: Buffer;
  /** The media type alone, in lower case; empty if the page named none. */
  readonly contentType: string;
  /** Returns the body as text, in the encoding that a browser would choose. */
  text(): string;
}
export type FetchedHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface FetchOptions {
  readonly signal?: AbortSignal;
  /** These are sent to the first origin only, not to where it redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'HEAD';
}

export interface SendOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /**
   * The limit in milliseconds for everything: DNS, connection, and the last byte of the response that is
   * read.
   */
  readonly deadlineMs: number;
  readonly maxAnswerBytes: number;
}

/** The response to `send`, whatever its status. */
export interface SentAnswer {
  readonly status: number;
  /** The first bytes of its body, not decoded. */
  readonly body: Buffer;
}

export interface SafeFetch {
  /**
   * Fetches a page.
   * @throws `FetchRefused`, or the reason of an aborted `signal`; nothing else
   */
  fetchPage(url: string | URL, options?: FetchOptions): Promise<FetchedPage>;
  /**
   * Posts a body once. Redirects are not followed, and the rest of a long response is not read. Rejects as
   * `fetchPage` does, but never because of the status.
   */
  send(url: string | URL, options: SendOptions): Promise<SentAnswer>;
  /**
   * Returns the URL that `fetchPage` would request first. It sends nothing.
   * @throws `FetchRefused` with `not_listed`
   */
  checkUrl(url: string | URL): URL;
  /** Ends the requests under way (as `unreachable`) and refuses later ones. */
  close(): void;
}

export interface SafeFetchOptions extends TargetRuleOptions {
  /** The system's resolver, unless a test gives another one. */
  readonly resolve?: Resolve;
  /** The limit in milliseconds for everything: DNS, connections, redirects and the last byte of the body. */
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
}

const maxRedirects = 5;
const maxHeaderBytes = 32 * 1024;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const ownHeaders = {
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.5',
  'accept-encoding': acceptedCodings,
  'user-agent': 'Mozilla/5.0 (compatible; Spaceport)',
};

/** Makes the only way out of the process for addresses that others give us. */
export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const { resolve = resolveBySystem, deadlineMs = 10_000, maxBytes = 1024 * 1024 } = options;
  const rule = targetRule(options);
  const closing = new AbortController();

  function checkUrl(address: string | URL): URL {
    const url = URL.parse(address);
    const isWebPage = url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
    if (!isWebPage || url.username !== '' || url.password !== '' || !rule.mayName(targetOf(url)))
      throw new FetchRefused({ kind: 'not_listed' });
    url.hash = '';
    url.hostname = url.hostname.replace(/\.$/u, '');
    return url;
  }

  async function fetchPage(address: string | URL, request: FetchOptions = {}): Promise<FetchedPage> {
    const first = checkUrl(address);
    return within(deadlineMs, request.signal, (signal) => follow(first, request, signal));
  }

  async function send(address: string | URL, options: SendOptions): Promise<SentAnswer> {
    const url = checkUrl(address);
    const { body, maxAnswerBytes } = options;
    const headers = { 'user-agent': ownHeaders['user-agent'], ...options.headers };
    return within(options.deadlineMs, options.signal, (signal) =>
      exchange(url, { method: 'POST', headers, body, signal }, async (answer) => ({
        status: answer.statusCode,
        body: await firstBytes(answer.body, maxAnswerBytes),
      })),
    );
  }

  /** Ends the work in time, and turns all of its failures into one form. */
  async function within<Done>(
    ms: number,
    given: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Done>,
  ): Promise<Done> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error('out of time')), ms);
    const signals = [closing.signal, deadline.signal, ...(given ? [given] : [])];
    try {
      return await work(AbortSignal.any(signals));
    } catch (error) {
      given?.throwIfAborted();
      throw asRefusal(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function follow(first: URL, request: FetchOptions, signal: AbortSignal): Promise<FetchedPage> {
    let url = first;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const headers = url.origin === first.origin ? { ...ownHeaders, ...request.headers } : ownHeaders;
      const method = request.method ?? 'GET';
      const answer = await exchange(url, { method, headers, signal }, (sent) => readPage(url, method, sent));
      if ('body' in answer) return answer;
      url = checkUrl(new URL(answer.location, url));
    }
    throw new Error('too many redirects');
  }

  async function readPage(
    url: URL,
    method: 'GET' | 'HEAD',
    { statusCode, headers, body: stream }: Dispatcher.ResponseData,
  ): Promise<FetchedPage | { location: string }> {
    const { location } = headers;
    if (redirectStatuses.has(statusCode) && location !== undefined)
      return { location: [location].flat()[0] ?? '' };
    if (statusCode < 200 || statusCode > 299) throw new FetchRefused({ kind: 'status', status: statusCode });
    const sent = method === 'HEAD' ? Buffer.alloc(0) : await collect(stream, maxBytes);
    const codings = [headers['content-encoding'] ?? ''].flat().join(',');
    return fetchedPage(url, statusCode, headers, await decode(sent, codings, maxBytes));
  }

  /**
   * Sends one request over a connection of its own, which is closed when the response was read: no checked
   * connection is reused later.
   */
  async function exchange<Read>(
    url: URL,
    { signal, ...request }: Sent,
    read: (answer: Dispatcher.ResponseData) => Promise<Read>,
  ): Promise<Read> {
    const target = targetOf(url);
    const connect = async () => {
      const socket = await connectChecked(target, rule, resolve, signal);
      return url.protocol === 'https:' ? secured(socket, target) : socket;
    };
    // Imported at the first use: it takes 20 MB, and many services never need it.
    const { Client } = await import('undici');
    const client = new Client(url.origin, {
      maxHeaderSize: maxHeaderBytes,
      // The signal's deadline is the only one.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, done) => {
        connect().then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        );
      },
    });
    try {
      const path = `${url.pathname}${url.search}`;
      const answer = await client.request({ ...request, path, signal });
      // An unread body (of a redirect) must not end the process when it is cut.
      answer.body.on('error', () => undefined);
      return await read(answer);
    } finally {
      client.destroy().catch(() => undefined);
    }
  }

  return { fetchPage, send, checkUrl, close: () => closing.abort(new Error('closed')) };
}

interface Sent {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

function fetchedPage(url: URL, status: number, headers: FetchedHeaders, body: Buffer): FetchedPage {
  const contentType = [headers['content-type'] ?? ''].flat()[0] ?? '';
  return {
    finalUrl: url.href,
    status,
    headers,
    body,
    contentType: (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    text: () => pageText(body, contentType),
  };
}

function asRefusal(error: unknown): FetchRefused {
  if (error instanceof FetchRefused) return error;
  if (error instanceof BodyTooLarge) return new FetchRefused({ kind: 'too_large' }, error);
  return new FetchRefused({ kind: 'unreachable' }, error);
}
