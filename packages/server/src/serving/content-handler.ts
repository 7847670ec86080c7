import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientAddress, createClientAddress } from '../platform/http/client-address.ts';
import { isWebKit } from '../platform/http/embedder-policy.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import type { CacheCounts } from '../platform/metrics/cache-metrics.ts';
import type { ContentWatch } from '../platform/metrics/content-metrics.ts';
import { type Decision, decide, policyOf } from './decide.ts';
import { Deliverer } from './deliver.ts';
import { asksForDocument, asksForPart } from './destination.ts';
import { type Exchange, writeHead } from './exchange.ts';
import type { FileAnswer } from './file-answer.ts';
import { decodePath } from './find-file.ts';
import type { ContentTarget } from './hosts.ts';
import { ModulePages, noPlace, type WithModule } from './module/module-pages.ts';
import { WantedPages } from './module/wanted-pages.ts';
import { ledHeaders, type PlainPageName, plainPages, redirectHeaders } from './plain-pages.ts';
import type { FlatHeaders } from './policy-headers.ts';
import { sendFile } from './send-file.ts';
import type { ServingContext, SiteAtHost } from './site.ts';
import { isServed, isWhole, type ServedSite, SiteCache } from './site-cache.ts';
import { type NamedVersion, namedVersion, wasLed } from './version-path.ts';
import { within } from './within.ts';

type SentFile = Extract<Decision, { send: 'file' }>;

export interface ContentHandlerOptions {
  /**
   * A local folder for files that are unpacked for clients that cannot take them packed. It is made if it does not
   * exist.
   */
  readonly unpackFolder: string;
  /** The most bytes of all unpacked files; 2 GiB by default. */
  readonly unpackedBytes?: number;
  /** Returns the client's address as trusted proxies give it; by default that of the connection. */
  readonly clientAddress?: ClientAddress;
  /** The memory for bodies of small files in bytes; 128 MiB by default, 0 for none. */
  readonly cacheBytes?: number;
  /** If set, nginx sends large files: X-Accel-Redirect is this prefix and the blob key. */
  readonly useAccelRedirect?: string | undefined;
  /** Called for each response. */
  readonly watch?: ContentWatch;
  /** Called with the error behind each 503 or 500. */
  readonly log?: (error: unknown, requestId: string) => void;
  /** The time in ms for the database, and then for the store, before a 503. The default is 900. */
  readonly waitMilliseconds?: number;
}

export interface ContentHandler {
  /** Answers any request to a content host. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, target: ContentTarget): void;
  /** The caches in memory, by name. */
  readonly caches: Readonly<Record<string, () => CacheCounts>>;
  /** Call it when the site of a label has changed: the next request looks it up again. */
  forget(kind: ContentTarget['is'], label: string): void;
  /** Call it when announcements may have been missed: the next request for each site looks it up again. */
  doubtAll(): void;
  /** Frees the memory of files and pages. The HTTP server waits for answers under way. */
  close(): void;
}

const defaultCacheBytes = 128 * 1024 * 1024;
const defaultWaitMilliseconds = 900;

export function createContentHandler(
  context: ServingContext,
  options: ContentHandlerOptions,
): ContentHandler {
  const waitMilliseconds = options.waitMilliseconds ?? defaultWaitMilliseconds;
  const sites = new SiteCache(context);
  const pages = plainPages(context.appOrigin);
  const redirectPolicy = redirectHeaders(context.appOrigin);
  const ledPolicy = ledHeaders(context.appOrigin);
  const newRequestId = countedIds();
  const clientAddress = options.clientAddress ?? createClientAddress(false);
  const cacheBytes = options.cacheBytes ?? defaultCacheBytes;
  const modulePages = new ModulePages(context.store, {
    cacheBytes: Math.floor(cacheBytes / 2),
    waitMilliseconds,
  });
  const wantedPages = new WantedPages(context);
  const deliverer = new Deliverer(context.store, {
    cacheBytes,
    accelPrefix: options.useAccelRedirect,
    waitMilliseconds,
    unpackFolder: options.unpackFolder,
    ...(options.unpackedBytes !== undefined && { unpackedBytes: options.unpackedBytes }),
    clientAddress,
  });
  const fileSender = {
    deliverer,
    fail: (exchange: Exchange, error: unknown) => fail(exchange, 'unavailable', error),
    refuseRange: (exchange: Exchange, size: number) =>
      sendPage(exchange, 'unsatisfiable', ['Content-Range', `bytes */${size}`]),
  };

  function handle(request: IncomingMessage, response: ServerResponse, target: ContentTarget): void {
    const begunAt = performance.now();
    const exchange = { request, response, target, requestId: newRequestId(), begunAt, watch: options.watch };
    // Request bodies are not read here: the connection ends with the response.
    if (carriesBody(request)) response.shouldKeepAlive = false;
    if (request.method !== 'GET' && request.method !== 'HEAD') sendPage(exchange, 'methodNotAllowed');
    else {
      const served = sites.fresh(target.is, target.label, context.now());
      if (served) answer(exchange, served);
      else void lookUp(exchange);
    }
  }

  function answer(exchange: Exchange, served: ServedSite): void {
    const { found } = served;
    const hasNumbers = found.is === 'site' && found.numbers !== undefined;
    const named = hasNumbers ? namedVersion(exchange.request) : null;
    if (!named) answerFrom(exchange, served);
    else answerVersion(exchange, served, named);
  }

  function answerVersion(exchange: Exchange, live: ServedSite, named: NamedVersion): void {
    const { number } = named;
    const isLive = isServed(live, number, context.now()) && numberOf(live) === number;
    const known = isLive ? live : sites.version(exchange.target.label, number, live, context.now());
    if (known) answerNamed(exchange, live, known, named);
    else void lookUpVersion(exchange, live, named);
  }

  async function lookUpVersion(exchange: Exchange, live: ServedSite, named: NamedVersion): Promise<void> {
    const { label } = exchange.target;
    try {
      const looked = sites.lookUpVersion(label, named.number, live);
      const served = await within(looked, waitMilliseconds);
      // If the version is no longer served, its whole space may be gone: then the live site is outdated too.
      const isAsKnown = isWhole(served) || sites.isKept(label, live);
      const now = isAsKnown ? live : await within(sites.lookUp('play', label), waitMilliseconds);
      if (!exchange.response.destroyed) answerNamed(exchange, now, served, named);
    } catch (error) {
      sites.abandonVersion(label, named.number);
      fail(exchange, 'unavailable', error);
    }
  }

  function answerNamed(exchange: Exchange, live: ServedSite, served: ServedSite, named: NamedVersion): void {
    const { found } = served;
    if (isWhole(served)) answerFrom(exchange, served, named);
    // A request without a number in its address gets the live version, wherever it comes from.
    else if (named.by === 'referer' || hasOwnFile(live.found, exchange.request)) answerFrom(exchange, live);
    else if (found.is === 'site' && (found.remains === 'all' || wasLed(exchange.request)))
      answerFrom(exchange, served, named);
    else sendPage(exchange, 'versionGone');
  }

  async function lookUp(exchange: Exchange): Promise<void> {
    const { is, label } = exchange.target;
    try {
      const served = await within(sites.lookUp(is, label), waitMilliseconds);
      if (!exchange.response.destroyed) answer(exchange, served);
    } catch (error) {
      const known = sites.giveUp(is, label);
      if (known === undefined) fail(exchange, 'unavailable', error);
      else if (!exchange.response.destroyed) answer(exchange, known);
    }
  }

  function answerFrom(exchange: Exchange, forAll: ServedSite, named?: NamedVersion): void {
    try {
      const { url = '', headers } = exchange.request;
      const isStrict = forAll.forWebKit !== null && isWebKit(headers['user-agent']);
      const served = isStrict ? forAll.forWebKit : forAll;
      const forServiceWorker = headers['service-worker'] !== undefined;
      const { appOrigin, modules } = context;
      const at = named?.by === 'address' ? { url: named.rest, version: named.number } : { url };
      const decision = decide(served, { ...at, forServiceWorker, now: context.now(), appOrigin, modules });
      carryOut(exchange, decision, served.found);
    } catch (error) {
      fail(exchange, 'failed', error);
    }
  }

  function carryOut(exchange: Exchange, decision: Decision, found: SiteAtHost): void {
    switch (decision.send) {
      case 'file':
        sendPageOrFile(exchange, decision, found);
        break;
      case 'module':
        if (found.is === 'site')
          sendWithModule(
            exchange,
            { is: 'module', ...decision, policy: policyOf(found, context) },
            null,
            200,
          );
        break;
      case 'redirect':
        writeHead(exchange, 308, ['Location', decision.location, ...redirectPolicy]);
        exchange.response.end();
        break;
      case 'led':
        writeHead(exchange, 307, ['Location', decision.location, ...ledPolicy]);
        exchange.response.end();
        break;
      case 'page':
        sendPage(exchange, decision.page);
    }
  }

  function sendPageOrFile(exchange: Exchange, { file, status }: SentFile, found: SiteAtHost): void {
    const { withModule, opened } = file;
    const isWanted = withModule && (withModule.always || asksForDocument(exchange.request));
    const wanted = isWanted && found.is === 'site' ? wantedPages.of(file, found) : null;
    const plain = opened && !asksForPart(exchange.request) ? opened : file;
    if (wanted === null) sendFile(fileSender, exchange, plain, status);
    else sendWithModule(exchange, wanted, file, status);
  }

  /** Sends the page with the module; `plain` is sent if the page has no place for it. */
  function sendWithModule(
    exchange: Exchange,
    wanted: WithModule,
    plain: FileAnswer | null,
    status: 200 | 404,
  ): void {
    const known = modulePages.peek(wanted);
    if (known === undefined) void makeAndSend(exchange, wanted, plain, status);
    else sendMade(exchange, known, plain, status);
  }

  async function makeAndSend(
    exchange: Exchange,
    wanted: WithModule,
    plain: FileAnswer | null,
    status: 200 | 404,
  ): Promise<void> {
    const { request, response, target } = exchange;
    const by = { site: `${target.is}/${target.label}`, network: networkOf(clientAddress(request)) };
    try {
      const made = await modulePages.make(wanted, by);
      if (!response.destroyed) sendMade(exchange, made, plain, status);
    } catch (error) {
      fail(exchange, 'unavailable', error);
    }
  }

  function sendMade(
    exchange: Exchange,
    made: FileAnswer | typeof noPlace,
    plain: FileAnswer | null,
    status: 200 | 404,
  ): void {
    const file = made === noPlace ? plain : made;
    if (file) sendFile(fileSender, exchange, file, status);
  }

  function sendPage(exchange: Exchange, name: PlainPageName, more: FlatHeaders = []): void {
    const { status, headers, body } = pages[name];
    writeHead(exchange, status, [...more, ...headers]);
    exchange.response.end(body);
  }

  function fail(exchange: Exchange, name: 'unavailable' | 'failed', error: unknown): void {
    const { response, requestId } = exchange;
    // A client that left is not a fault of ours.
    if (response.destroyed) return;
    options.log?.(error, requestId);
    if (response.headersSent) response.destroy();
    else sendPage(exchange, name);
  }

  return {
    handle,
    caches: { bodies: () => deliverer.counts },
    forget: (kind, label) => sites.forget(kind, label),
    doubtAll: () => sites.doubtAll(),
    close() {
      deliverer.close();
      modulePages.close();
    },
  };
}

function carriesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

function numberOf({ found }: ServedSite): number | null {
  return found.is === 'site' ? found.site.number : null;
}

/** Returns whether the site has a file at this address, from before addresses with numbers were reserved. */
function hasOwnFile(found: SiteAtHost, { url = '' }: IncomingMessage): boolean {
  const path = decodePath(url.split('?', 1)[0] ?? '');
  return found.is === 'site' && path !== null && found.site.files.has(path.slice(1));
}

/** Returns a function that makes ids. They are unique over nodes and restarts, and cheap. */
function countedIds(): () => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
