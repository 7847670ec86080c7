import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientAddress, createClientAddress } from '../platform/http/client-address.ts';
import { type Decision, decide } from './decide.ts';
import { Deliverer } from './deliver.ts';
import { type Exchange, writeHead } from './exchange.ts';
import type { ContentTarget } from './hosts.ts';
import { type PlainPageName, plainPages, redirectHeaders } from './plain-pages.ts';
import type { FlatHeaders } from './policy-headers.ts';
import { sendFile } from './send-file.ts';
import type { ServingContext } from './site.ts';
import { type ServedSite, SiteCache } from './site-cache.ts';
import { within } from './within.ts';

export interface ContentHandlerOptions {
  /** A folder of this machine for packed files that are unpacked for those who cannot; made where it is not there. */
  readonly unpackFolder: string;
  /** Who asks, as the proxies before the service say; whoever is connected by default. */
  readonly clientAddress?: ClientAddress;
  /** Memory for small files' bodies; 128 MiB by default, 0 for none. */
  readonly cacheBytes?: number;
  /** Large files are handed to nginx as this prefix + blob key, in X-Accel-Redirect. */
  readonly useAccelRedirect?: string | undefined;
  /** Told of what made an answer a 503 or a 500. */
  readonly log?: (error: unknown, requestId: string) => void;
  /** How long the database, and then the store, may take before the answer is a 503; 900 by default. */
  readonly waitMilliseconds?: number;
}

export interface ContentHandler {
  /** Returns one request to a content host, whatever comes. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse, target: ContentTarget): void;
  /** What is at the label has changed: the next request looks it up. */
  forget(kind: ContentTarget['is'], label: string): void;
  forgetAll(): void;
  /** Lets go of the memory; answers under way are the HTTP server's to wait for. */
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
  const newRequestId = countedIds();
  const deliverer = new Deliverer(context.store, {
    cacheBytes: options.cacheBytes ?? defaultCacheBytes,
    accelPrefix: options.useAccelRedirect,
    waitMilliseconds,
    unpackFolder: options.unpackFolder,
    clientAddress: options.clientAddress ?? createClientAddress(false),
  });
  const fileSender = {
    deliverer,
    fail: (exchange: Exchange, error: unknown) => fail(exchange, 'unavailable', error),
    refuseRange: (exchange: Exchange, size: number) =>
      sendPage(exchange, 'unsatisfiable', ['Content-Range', `bytes */${size}`]),
  };

  function handle(request: IncomingMessage, response: ServerResponse, target: ContentTarget): void {
    const exchange = { request, response, target, requestId: newRequestId() };
    // Nobody reads a body here: the connection ends with the answer instead of waiting for the rest of it.
    if (carriesBody(request)) response.shouldKeepAlive = false;
    if (request.method !== 'GET' && request.method !== 'HEAD') sendPage(exchange, 'methodNotAllowed');
    else {
      const served = sites.fresh(target.is, target.label, context.now());
      if (served) answer(exchange, served);
      else void lookUp(exchange);
    }
  }

  async function lookUp(exchange: Exchange): Promise<void> {
    const { is, label } = exchange.target;
    try {
      const served = await within(sites.lookUp(is, label), waitMilliseconds);
      if (!exchange.response.destroyed) answer(exchange, served);
    } catch (error) {
      sites.abandon(is, label);
      fail(exchange, 'unavailable', error);
    }
  }

  function answer(exchange: Exchange, served: ServedSite): void {
    try {
      const { url = '', headers } = exchange.request;
      const forServiceWorker = headers['service-worker'] !== undefined;
      const { appOrigin } = context;
      carryOut(exchange, decide(served, { url, forServiceWorker, now: context.now(), appOrigin }));
    } catch (error) {
      fail(exchange, 'failed', error);
    }
  }

  function carryOut(exchange: Exchange, decision: Decision): void {
    switch (decision.send) {
      case 'file':
        sendFile(fileSender, exchange, decision.file, decision.status);
        break;
      case 'redirect':
        writeHead(exchange, 308, ['Location', decision.location, ...redirectPolicy]);
        exchange.response.end();
        break;
      case 'page':
        sendPage(exchange, decision.page);
    }
  }

  function sendPage(exchange: Exchange, name: PlainPageName, more: FlatHeaders = []): void {
    const { status, headers, body } = pages[name];
    writeHead(exchange, status, [...more, ...headers]);
    exchange.response.end(body);
  }

  function fail(exchange: Exchange, name: 'unavailable' | 'failed', error: unknown): void {
    const { response, requestId } = exchange;
    // A client that left is no fault of ours.
    if (response.destroyed) return;
    options.log?.(error, requestId);
    if (response.headersSent) response.destroy();
    else sendPage(exchange, name);
  }

  return {
    handle,
    forget: (kind, label) => sites.forget(kind, label),
    forgetAll: () => sites.forgetAll(),
    close() {
      sites.forgetAll();
      deliverer.close();
    },
  };
}

function carriesBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** Unique over nodes and restarts, and cheap. */
function countedIds(): () => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
