import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connectChecked, connected, type Resolve, resolveBySystem } from './connect.ts';
import { exchange, join } from './proxy-exchange.ts';
import { hostHeader, parseTarget, type Target, targetOf } from './target.ts';
import { type TargetRuleOptions, targetRule } from './target-rule.ts';

export interface SafeProxyOptions extends TargetRuleOptions {
  /**
   * Returns the target for a host of our own content (spelled as in a Host header, without the ports 80 and
   * 443), or null to leave it to the rule. The returned target is connected to without a check.
   */
  readonly mapHost?: (host: string) => Target | null;
  /** What this run may request, in addition to the rule. Everything if absent. */
  readonly permits?: (target: Target) => boolean;
  readonly resolve?: Resolve;
  /** The most bytes of the whole run, in both directions. Above it, every connection is cut. */
  readonly maxBytes: number;
  /** The most connections at the same time, from the browser and to the web each. */
  readonly maxConnections: number;
}

export interface SafeProxy {
  /** `http://127.0.0.1:port`, for `--proxy-server`. */
  readonly url: string;
  counts(): ProxyCounts;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

export interface ProxyCounts {
  /** The number of requests and tunnels. */
  readonly requests: number;
  /** How many of them failed, for whatever reason. */
  readonly refused: number;
  readonly bytes: number;
}

/**
 * Makes the way out for a browser that opens untrusted pages: an HTTP proxy on loopback (absolute-form
 * requests and CONNECT) under the address rule of `safeFetch`. One proxy serves one run and is closed after
 * it.
 *
 * The browser must be told to use it for loopback names too (`--proxy-bypass-list=<-loopback>`), and to
 * bypass it for nothing (`--disable-quic`, `--force-webrtc-ip-handling-policy=disable_non_proxied_udp`).
 *
 * Every refusal and failure is one plain 502, because the page inside can read it (see refusal.ts).
 */
export async function createSafeProxy(options: SafeProxyOptions): Promise<SafeProxy> {
  const { resolve = resolveBySystem, permits = () => true, mapHost = () => null, maxConnections } = options;
  const rule = targetRule(options);
  const closing = new AbortController();
  const incoming = new Set<Socket>();
  const outgoing = new Set<Socket>();
  const counts = { requests: 0, refused: 0, bytes: 0 };
  let opening = 0;

  async function open(target: Target): Promise<Socket> {
    if (!permits(target) || outgoing.size + opening >= maxConnections) throw new Error('not permitted');
    opening++;
    try {
      const mapped = mapHost(hostHeader(target));
      // A signal of its own for each: Node warns of a leak if many sockets listen to one signal.
      const signal = AbortSignal.any([closing.signal]);
      const socket = await (mapped
        ? connected({ ...mapped, signal })
        : connectChecked(target, rule, resolve, signal));
      track(socket, outgoing);
      socket.on('data', spend);
      return socket;
    } finally {
      opening--;
    }
  }

  function spend(chunk: Buffer): void {
    counts.bytes += chunk.length;
    if (counts.bytes > options.maxBytes) cut();
  }

  function cut(): void {
    closing.abort(new Error('proxy closed'));
    for (const socket of [...incoming, ...outgoing]) socket.destroy();
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    counts.requests++;
    try {
      const url = URL.parse(request.url ?? '');
      if (url?.protocol !== 'http:' || url.username !== '' || url.password !== '')
        throw new Error('not a proxy request');
      const socket = await open(targetOf(url));
      request.on('data', spend);
      await exchange(request, response, url, socket);
    } catch {
      counts.refused++;
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { connection: 'close' }).end();
    }
  }

  async function tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    counts.requests++;
    client.on('error', () => client.destroy());
    try {
      const target = parseTarget(request.url ?? '');
      if (target === null) throw new Error('not a proxy request');
      const socket = await open(target);
      client.on('data', spend);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.unshift(head);
      join(client, socket);
    } catch {
      counts.refused++;
      client.end('HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    }
  }

  const server = createServer((request, response) => void forward(request, response));
  server.maxConnections = maxConnections;
  server.on('connection', (socket: Socket) => track(socket, incoming));
  server.on('connect', (request, client, head) => void tunnel(request, client, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts: () => ({ ...counts }),
    close: async () => {
      cut();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

function track(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => sockets.delete(socket));
}
