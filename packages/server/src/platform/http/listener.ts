import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { partTurns, requestTurns } from './loop-turns.ts';
import { OpenResponses } from './open-responses.ts';
import { Pipelines } from './pipelines.ts';
import { answerExpectation } from './request-target.ts';

const headersTimeoutMs = 10_000;
/** Longer than that of usual load balancers, so that they never send on a connection that we are closing. */
const keepAliveTimeoutMs = 65_000;
const idleLookMs = 50;
/** One quiet second, counted in looks: a second in which this process stood still does not count. */
const quietLooks = 20;
/**
 * Less than one read gives. So a body that waits for its turn, or is not read, holds no second read in
 * memory.
 */
const heldBytes = 32 * 1024;

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** How requests to upgrade to another protocol are handled. */
export interface Upgrades {
  /** Returns whether the request is upgraded. Others are handled as plain requests. */
  takes(request: IncomingMessage): boolean;
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * A listening HTTP server whose handler may be set later: its port is known before the service is built on
 * it.
 */
export interface Listener {
  readonly server: Server;
  readonly port: number;
  /** Begins to accept connections, unless it does already. */
  listen(): Promise<void>;
  /** Sends requests to this handler from now on. Earlier requests wait for it. */
  handle(handler: RequestHandler): void;
  /** Handles upgrades from now on. Before, no request is upgraded. */
  upgrade(upgrades: Upgrades): void;
  /**
   * From now on every response ends its connection. Resolves when no connection was open for a second, or
   * after `withinMs`. A kept-alive connection stays open until its next response, because its client may be
   * sending at this moment. New connections are still accepted: a balancer learns of the end a moment later,
   * and one that opens a connection for each request has none in between.
   */
  sendAway(withinMs: number): Promise<void>;
  /**
   * Accepts no new connections, lets requests under way end, and cuts those that have not ended after
   * `graceMs`.
   */
  drain(graceMs: number): Promise<void>;
}

/**
 * Opens a listener. It accepts connections at once, unless `later` is set. Processes of one server share a
 * port, unless `isShared` is false.
 */
export async function openListener(
  host: string,
  port: number,
  {
    later = false,
    isShared = true,
  }: { readonly later?: boolean | undefined; readonly isShared?: boolean } = {},
): Promise<Listener> {
  const ready = Promise.withResolvers<RequestHandler>();
  let handle: RequestHandler = (request, response) =>
    void ready.promise.then((handler) => handler(request, response));
  let upgrades: Upgrades | null = null;
  const open = new OpenResponses();
  // One function for all responses: a closure for each request costs more than its work.
  function isOver(this: ServerResponse): void {
    open.ended(this);
  }
  let sendingAway = false;
  const begin: RequestHandler = (request, response) => {
    open.begun(request, response);
    response.on('close', isOver);
    if (sendingAway) response.shouldKeepAlive = false;
    handle(request, response);
  };
  const pipelines = new Pipelines();
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Bodies have limits of their own: a large upload may take long.
      requestTimeout: 0,
      noDelay: true,
      // The handler refuses a request without a host, with the headers and the body of all errors.
      requireHostHeader: false,
      highWaterMark: heldBytes,
      // Requests without a body are streams that have ended, with no events to come. This takes a tenth off a small answer.
      optimizeEmptyRequests: true,
      shouldUpgradeCallback: (request) => upgrades?.takes(request) ?? false,
    },
    (request, response) => {
      if (response.socket === null) pipelines.later(request, response, begin);
      else begin(request, response);
    },
  );
  server.on('checkExpectation', (_request, response) => answerExpectation(response));
  server.on('upgrade', (request, socket, head) => upgrades?.take(request, socket, head));
  let cameLately = false;
  server.on('connection', (socket) => {
    open.connected(socket);
    cameLately = true;
    requestTurns.connected();
    partTurns.connected();
  });
  const listen = async () => {
    if (server.listening) return;
    server.listen({ port, host, exclusive: !isShared });
    await once(server, 'listening');
  };
  if (!later) await listen();
  return {
    server,
    port: later ? port : (server.address() as AddressInfo).port,
    listen,
    handle(handler) {
      handle = handler;
      ready.resolve(handler);
    },
    upgrade(given) {
      upgrades = given;
    },
    async sendAway(withinMs) {
      sendingAway = true;
      for (const response of open) response.shouldKeepAlive = false;
      const until = performance.now() + withinMs;
      for (let quiet = 0; quiet < quietLooks && performance.now() < until; quiet++) {
        if (cameLately || (await countConnections(server)) > 0) quiet = 0;
        cameLately = false;
        await pause(idleLookMs);
      }
    },
    async drain(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Connections that become idle meanwhile are closed then.
      const look = setInterval(() => server.closeIdleConnections(), idleLookMs);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      server.closeIdleConnections();
      await closed;
      clearInterval(look);
      clearTimeout(cut);
    },
  };
}

function countConnections(server: Server): Promise<number> {
  return promisify(server.getConnections.bind(server))();
}
