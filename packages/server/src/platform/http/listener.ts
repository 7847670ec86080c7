import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { partTurns, requestTurns } from './loop-turns.ts';

const headersTimeoutMs = 10_000;
/** Longer than the usual load balancer's, so that it never sends on a connection we are closing. */
const keepAliveTimeoutMs = 65_000;
const idleLookMs = 50;
/** A second in which nobody came, as this process sees it: one in which it stood still is no such second. */
const quietLooks = 20;
/** Less than one read gives: of a body that waits for its turn, or for nobody, no second one is held. */
const heldBytes = 32 * 1024;

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** What becomes of requests that ask for another protocol. */
export interface Upgrades {
  /** Others are answered as any request. */
  takes(request: IncomingMessage): boolean;
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** A listening http server whose handler may come later: the port is known before the service is built on it. */
export interface Listener {
  readonly server: Server;
  readonly port: number;
  /** Takes connections from now on, where it does not yet. */
  listen(): Promise<void>;
  /** From now on requests go here; before, they wait. */
  handle(handler: RequestHandler): void;
  /** From now on; before, nothing is upgraded. */
  upgrade(upgrades: Upgrades): void;
  /**
   * From now on every answer ends its connection. Resolves when no connection was open for a second, or after `withinMs`: one
   * that is kept alive is taken to its end, because whoever holds it may be sending on it at this moment. New ones are
   * still taken: a balancer learns of the end a moment later, and one that opens a connection for each request has none
   * between two.
   */
  sendAway(withinMs: number): Promise<void>;
  /** Takes no new connection, lets what is under way end, cuts what has not after `graceMs`. */
  drain(graceMs: number): Promise<void>;
}

/**
 * Takes connections at once, or where it is one of several that do, `later`. Processes of one server share a port unless
 * `isShared` is false.
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
  const open = new Set<ServerResponse>();
  // One for all of them: a closure for each request costs more than what it does.
  function isOver(this: ServerResponse): void {
    open.delete(this);
  }
  let sendingAway = false;
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Bodies have limits of their own: a large upload may take long.
      requestTimeout: 0,
      noDelay: true,
      highWaterMark: heldBytes,
      shouldUpgradeCallback: (request) => upgrades?.takes(request) ?? false,
    },
    (request, response) => {
      open.add(response);
      response.on('close', isOver);
      if (sendingAway) response.shouldKeepAlive = false;
      handle(request, response);
    },
  );
  server.on('upgrade', (request, socket, head) => upgrades?.take(request, socket, head));
  let cameLately = false;
  server.on('connection', () => {
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
      // Connections that become idle while we wait are closed as they do.
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
