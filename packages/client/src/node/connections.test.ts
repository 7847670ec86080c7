import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { openConnections } from './connections.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const soonMs = 50;
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

async function listening<Of extends Server | ReturnType<typeof createTcpServer>>(server: Of): Promise<Of> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push(() => server.close());
  return server;
}

/** Returns the port of a place that answers no packet any more: its queue is full, and nobody takes from it. */
async function swallowingPort(): Promise<number> {
  const code = `require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    console.log(this.address().port);
  });`;
  const child: ChildProcess = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  ends.push(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout ?? child, 'data');
  child.kill('SIGSTOP');
  const port = Number(String(line));
  const held: Socket[] = [];
  ends.push(() => held.forEach((socket) => void socket.destroy()));
  // The system lets a few more in than it was told; the first that gets no answer says that the queue is full.
  for (;;) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    held.push(socket);
    const full = new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(false));
      setTimeout(() => resolve(true), 1_000);
    });
    if (await full) return port;
  }
}

test('a connection that is not there in time is an error that names the place', async () => {
  const port = await swallowingPort();
  for (const scheme of ['http', 'https']) {
    const connections = openConnections({ keepAlive: true }, soonMs);
    ends.push(() => connections.close());
    const sent = connections.request(new URL(`${scheme}://127.0.0.1:${port}/`), { headers: {} }).end();
    const [error] = await once(sent, 'error').catch((error: unknown) => [error]);
    assert.match(String(error), new RegExp(`no connection to 127.0.0.1:${port} within 0.05 seconds`, 'u'));
  }
});

test('so is one that is never encrypted', async () => {
  const silent = await listening(createTcpServer((socket) => void ends.push(() => socket.destroy())));
  const connections = openConnections({ keepAlive: true }, soonMs);
  ends.push(() => connections.close());
  const sent = connections.request(new URL(`https://127.0.0.1:${portOf(silent)}/`), { headers: {} }).end();
  const [error] = await once(sent, 'error').catch((error: unknown) => [error]);
  assert.match(String(error), /no connection to 127\.0\.0\.1:\d+ within/u);
});

test('an answer that takes longer than a connection may is waited for, also over one that was kept', async () => {
  const limitMs = 1_000;
  const server = await listening(
    createServer((_request, response) => void setTimeout(() => response.end('late'), limitMs * 1.1)),
  );
  const connections = openConnections({ keepAlive: true, maxSockets: 1 }, limitMs);
  ends.push(() => connections.close());
  const ask = async () => {
    const sent = connections.request(new URL(`http://127.0.0.1:${portOf(server)}/`), { headers: {} }).end();
    const [answer] = await once(sent, 'response');
    assert.equal((await Array.fromAsync(answer)).join(''), 'late');
  };
  await Promise.all([ask(), ask()]);
});

test('requests begin on the oldest version of Node that is supported', async () => {
  const server = await listening(createServer((_request, response) => void response.end('here')));
  const { getBuiltinModule } = process;
  // Node 20.12 has no such function.
  Reflect.set(process, 'getBuiltinModule', undefined);
  try {
    const connections = openConnections({ keepAlive: true });
    ends.push(() => connections.close());
    const sent = connections.request(new URL(`http://127.0.0.1:${portOf(server)}/`), { headers: {} }).end();
    const [answer] = await once(sent, 'response');
    assert.equal((await Array.fromAsync(answer)).join(''), 'here');
  } finally {
    Reflect.set(process, 'getBuiltinModule', getBuiltinModule);
  }
});
