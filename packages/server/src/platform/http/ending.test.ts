import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { endAfterAnswer } from './ending.ts';

const senders = 40;
const bodyBytes = 4 * 1024 * 1024;
/** Fewer bytes than the first read of each gives. */
const bytesOfEach = 40_000;

/** A server that refuses every body without reading it, and its connections. */
async function refusing() {
  const connections = new Set<Socket>();
  const server = createServer((request, response) => {
    if (request.method === 'GET') return response.end('small');
    response.writeHead(401, { connection: 'close', 'content-length': 2 });
    endAfterAnswer(response);
    response.end('no');
  });
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    bytesRead: () => [...connections].reduce((sum, socket) => sum + socket.bytesRead, 0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function ask(agent: Agent, port: number): Promise<void> {
  const [answer] = (await once(get({ host: '127.0.0.1', port, agent }), 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
}

/**
 * Sends the head of a request and `bytes` of its body.
 * @returns the response, once the connection has ended
 */
function send(port: number, bytes: number): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bodyBytes}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes));
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => {});
  const answer = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  return { socket, answer };
}

describe('ignored request bodies', () => {
  test('are discarded in parts, so that other requests have their turn', async () => {
    await using server = await refusing();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await ask(agent, server.port);
    const sent = Array.from({ length: senders }, () => send(server.port, bodyBytes - 64));
    await Promise.race(sent.map(({ socket }) => once(socket, 'data')));
    await ask(agent, server.port);
    const read = server.bytesRead();
    assert.ok(read < senders * bytesOfEach, `${read} bytes were read before the small answer`);
    for (const { socket } of sent) socket.destroy();
    agent.destroy();
  });

  for (const [what, bytes] of [
    ['whole', bodyBytes],
    ['never whole', bodyBytes / 2],
  ] as const) {
    test(`are answered when they are ${what}`, async () => {
      await using server = await refusing();
      assert.match(await send(server.port, bytes).answer, /^HTTP\/1\.1 401 [\s\S]*no$/u);
    });
  }
});
