import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** An answer that a node gave. */
export interface Passed {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly milliseconds: number;
}

/** A proxy in front of nodes, which get requests in turn. */
export interface RoundRobin {
  readonly port: number;
  /** Sets a node's port; null while it is down or takes no more requests. */
  set(node: number, port: number | null): void;
  close(): Promise<void>;
}

/**
 * Opens a proxy on loopback. A node that accepts no connection is skipped. A request that breaks off at the
 * node breaks off here too, because the node may have executed it. `onPassed` is called with the head of
 * every answer.
 */
export async function openRoundRobin(onPassed: (passed: Passed) => void = () => {}): Promise<RoundRobin> {
  const nodes = new Map<number, number>();
  const sockets = new Set<Socket>();
  let turn = 0;

  /** Returns the available nodes, beginning with the next one. */
  function inTurn(): number[] {
    const ports = [...nodes.values()];
    const first = turn++ % Math.max(1, ports.length);
    return [...ports.slice(first), ...ports.slice(0, first)];
  }

  async function connected(): Promise<Socket | null> {
    for (const port of inTurn()) {
      const socket = connect(port, '127.0.0.1');
      try {
        await once(socket, 'connect');
        return socket;
      } catch {
        // The next node gets the request.
      }
    }
    return null;
  }

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now();
    const socket = await connected();
    if (socket === null) {
      response.destroy();
      return;
    }
    const { method = 'GET', url: path = '/' } = incoming;
    const passed = request({
      method,
      path,
      headers: [...withoutConnection(incoming.rawHeaders), 'connection', 'close'],
      createConnection: () => socket,
    });
    const answered = once(passed, 'response') as Promise<[IncomingMessage]>;
    // A node may answer before it has read the whole body, and stop reading.
    const sent = pipeline(incoming, passed);
    sent.catch(() => {});
    const [answer] = await answered;
    const { statusCode: status = 502 } = answer;
    onPassed({
      method,
      path,
      status,
      host: incoming.headers.host ?? '',
      retryAfter: answer.headers['retry-after'],
      milliseconds: performance.now() - began,
    });
    response.writeHead(status, answer.statusMessage, withoutConnection(answer.rawHeaders));
    await pipeline(answer, response);
  }

  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', async (incoming, near: Socket, head: Buffer) => {
    const far = await connected();
    if (far === null) return near.destroy();
    const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
    for (let at = 0; at < incoming.rawHeaders.length; at += 2)
      lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`);
    far.write(`${lines.join('\r\n')}\r\n\r\n`);
    far.write(head);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.once('close', () => to.destroy());
    }
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    set(node, port) {
      if (port === null) nodes.delete(node);
      else nodes.set(node, port);
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/**
 * Returns headers without Connection: a connection to a node is for one request, but the client's is kept
 * alive.
 */
function withoutConnection(raw: readonly string[]): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (!['connection', 'keep-alive'].includes(name.toLowerCase())) headers.push(name, value);
  }
  return headers;
}
