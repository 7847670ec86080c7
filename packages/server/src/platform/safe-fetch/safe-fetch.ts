import { acceptedCodings, BodyTooLarge, collect, decode } from './bounded-body.ts';
import { connectChecked, type Resolve, resolveBySystem, secured } from './connect.ts';
import { pageText } from './page-text.ts';
import { FetchRefused } from './refusal.ts';
import { targetOf } from './target.ts';
import { type TargetRuleOptions, targetRule } from './target-rule.ts';

/** A page that answered 2xx. */
export interface FetchedPage {
  /** After redirects; no fragment. */
  readonly finalUrl: string;
  readonly status: number;
  /** Lower-case names; a header sent more than once is a list of its values in order. */
  readonly headers: FetchedHeaders;
  /** Content codings undone; empty for HEAD. */
  readonly body: Buffer;
  /** The media type alone, lower-case; empty where the page named none. */
  readonly contentType: string;
  /** The body as text, in the encoding a browser would choose. */
  text(): string;
}
export type FetchedHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface FetchOptions {
  readonly signal?: AbortSignal;
  /** Sent to the first origin only, never to where it redirects. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'HEAD';
}

export interface SafeFetch {
  /** Rejects with FetchRefused, and nothing else, but the reason of an aborted `signal`. */
  fetchPage(url: string | URL, options?: FetchOptions): Promise<FetchedPage>;
  /** What `fetchPage` would ask for first, or throws FetchRefused `not_listed`. Asks nobody. */
  checkUrl(url: string | URL): URL;
  /** Ends what is under way (as `unreachable`) and refuses what comes after. */
  close(): void;
}

export interface SafeFetchOptions extends TargetRuleOptions {
  /** The system's resolver, unless a test brings its own. */
  readonly resolve?: Resolve;
  /** For everything: names, connections, redirects and the last byte of the body. */
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

/** The one way out of the process for addresses that others give us. */
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
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error('out of time')), deadlineMs);
    const signals = [closing.signal, deadline.signal, ...(request.signal ? [request.signal] : [])];
    try {
      return await follow(first, request, AbortSignal.any(signals));
    } catch (error) {
      request.signal?.throwIfAborted();
      throw asRefusal(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function follow(first: URL, request: FetchOptions, signal: AbortSignal): Promise<FetchedPage> {
    let url = first;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const headers = url.origin === first.origin ? { ...ownHeaders, ...request.headers } : ownHeaders;
      const answer = await ask(url, request.method ?? 'GET', headers, signal);
      if ('body' in answer) return answer;
      url = checkUrl(new URL(answer.location, url));
    }
    throw new Error('too many redirects');
  }

  /** One request over one connection of its own, gone when this is done: nothing is pooled past its check. */
  async function ask(
    url: URL,
    method: 'GET' | 'HEAD',
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<FetchedPage | { location: string }> {
    const target = targetOf(url);
    const connect = async () => {
      const socket = await connectChecked(target, rule, resolve, signal);
      return url.protocol === 'https:' ? secured(socket, target) : socket;
    };
    // Loaded at the first use: 20 MB that many a service never has need of.
    const { Client } = await import('undici');
    const client = new Client(url.origin, {
      maxHeaderSize: maxHeaderBytes,
      // The one deadline is the signal's.
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
      const answer = await client.request({ method, path, headers, signal });
      // A body that is not read (a redirect's) must not bring the process down when it is cut.
      answer.body.on('error', () => undefined);
      const { location } = answer.headers;
      if (redirectStatuses.has(answer.statusCode) && location !== undefined)
        return { location: [location].flat()[0] ?? '' };
      if (answer.statusCode < 200 || answer.statusCode > 299)
        throw new FetchRefused({ kind: 'status', status: answer.statusCode });
      const sent = method === 'HEAD' ? Buffer.alloc(0) : await collect(answer.body, maxBytes);
      const codings = [answer.headers['content-encoding'] ?? ''].flat().join(',');
      const body = await decode(sent, codings, maxBytes);
      return fetchedPage(url, answer.statusCode, answer.headers, body);
    } finally {
      client.destroy().catch(() => undefined);
    }
  }

  return { fetchPage, checkUrl, close: () => closing.abort(new Error('closed')) };
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
