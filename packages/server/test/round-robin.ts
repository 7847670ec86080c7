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

/** A proxy in front of nodes, each of which gets the next request. */
export interface RoundRobin {
  readonly port: number;
  /** Where a node is; null while there is none, or it takes no more. */
  set(node: number, port: number | null): void;
  close(): Promise<void>;
}

/**
 * Opens one on loopback. A node that takes no connection is passed over; a request that broke off in the middle breaks off
 * here too, since the node may have done what it asked. `onPassed` is told of every answer's head.
 */
export async function openRoundRobin(onPassed: (passed: Passed) => void = () => {}): Promise<RoundRobin> {
  const nodes = new Map<number, number>();
  const sockets = new Set<Socket>();
  let turn = 0;

  /** All that there are, beginning with whose turn it is. */
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
        // The next one has it.
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
    // A node may answer before it has the whole body, and take no more of it.
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

/** As they were sent; the connection to a node is for one request, and the one that asked is kept. */
function withoutConnection(raw: readonly string[]): string[] {
  const headers: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (!['connection', 'keep-alive'].includes(name.toLowerCase())) headers.push(name, value);
  }
  return headers;
}
