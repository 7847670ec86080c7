import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { defineOperation } from '@spaceport/contract/operation';
import { z } from 'zod';
import { TestClock } from '../../../test/clock.ts';
import { type RawRequest, rawRequest } from '../../../test/raw-http.ts';
import { logInto } from '../log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { alone } from '../processes/together.ts';
import { createClientAddress } from './client-address.ts';
import { createBinder } from './operations.ts';
import { createHttpApp } from './server.ts';

const operation = defineOperation({
  id: 'echo',
  method: 'POST',
  path: '/api/echo/{name}',
  summary: 'Says it again.',
  tag: 'Test',
  credential: 'none',
  edge: 'plain',
  params: z.object({ name: z.string() }),
  query: z.strictObject({}),
  body: z.strictObject({ text: z.string() }),
  answers: { 200: z.object({ text: z.string() }) },
  errors: [],
});

type Line = Record<string, unknown>;

/** Starts a server whose one call is answered ahead of the framework if `ahead` is true, otherwise by it. */
async function startEcho(ahead: boolean, bodyBytes = 1_000_000) {
  const server = createServer();
  const lines: Line[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line));
      done();
    },
  });
  const held = { bytes: 0 };
  const together = alone(new TestClock(), { runsJobs: false });
  const http = createHttpApp({
    server,
    log: logInto(() => sink, 'info'),
    appOrigin: 'http://app.example',
    clientAddress: createClientAddress(false),
    bodies: {
      take(bytes) {
        if (held.bytes + bytes > bodyBytes) return null;
        held.bytes += bytes;
        return () => {
          held.bytes -= bytes;
        };
      },
    },
    metrics: createMetrics().requests,
    tracer: null,
    watch: undefined,
  });
  const anyone = { kind: 'anonymous' } as const;
  const binder = createBinder(http.app, {
    authenticate: { byHead: () => anyone, byBody: () => anyone },
    confine: async () => {},
    together,
    ahead: http.ahead,
  });
  binder.bindAhead(operation, async ({ body: { text } }) => {
    if (text === 'fail') throw new Error('a fault of ours');
    return { body: { text } };
  });
  await http.app.ready();
  server.on('request', ahead ? http.handleAhead : http.handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    lines,
    held,
    ask: (path: string, { body, headers }: RawRequest) =>
      rawRequest(port, `http://app.example${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body }),
      }),
    async [Symbol.asyncDispose]() {
      await http.app.close();
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a log line without what differs from request to request. */
function shown({ time: _, reqId, ms, err, ...line }: Line) {
  return { ...line, reqId: typeof reqId, ms: typeof ms, err: (err as { message?: string })?.message };
}

async function bothWays<T>(act: (echo: Awaited<ReturnType<typeof startEcho>>) => Promise<T>, room?: number) {
  const results = [];
  for (const ahead of [true, false]) {
    await using echo = await startEcho(ahead, room);
    const result = await act(echo);
    results.push({ result, lines: echo.lines.map(shown) });
  }
  const [ahead, framework] = results;
  assert.deepEqual(ahead, framework);
  return { result: ahead?.result, lines: ahead?.lines ?? [] };
}

async function logged(lines: readonly Line[], count: number): Promise<void> {
  while (lines.length < count) await new Promise(setImmediate);
}

describe('a call that is handled ahead of the framework', () => {
  it('has the log line that the framework would write', async () => {
    const { lines } = await bothWays(async ({ ask, lines }) => {
      await ask('/api/echo/one?', { body: '{"text":"yes"}' });
      await ask('/api/echo/two', { body: '{"text":1}' });
      await logged(lines, 2);
    });
    assert.deepEqual(
      lines.map(({ path, status, method, msg }: Line) => [path, status, method, msg]),
      [
        ['/api/echo/one', 200, 'POST', 'request'],
        ['/api/echo/two', 422, 'POST', 'request'],
      ],
    );
  });

  it('logs unexpected errors, with the id that the response names', async () => {
    const { result } = await bothWays(async ({ ask, lines }) => {
      const answer = await ask('/api/echo/one', { body: '{"text":"fail"}' });
      await logged(lines, 2);
      const [unexpected, request] = lines;
      assert.equal(unexpected?.reqId, answer.headers['x-request-id']);
      assert.equal(request?.reqId, answer.json().request_id);
      return [answer.status, answer.json().error];
    });
    assert.deepEqual(result, [500, 'server_error']);
  });

  it('is refused when there is no memory for its body, and its connection ends', async () => {
    const { result } = await bothWays(async ({ ask, held }) => {
      const answer = await ask('/api/echo/one', { body: '{"text":"yes"}' });
      return [answer.status, answer.headers['retry-after'], answer.headers.connection, held.bytes];
    }, 5);
    assert.deepEqual(result, [503, '2', 'close', 0]);
  });

  it('frees the memory of a body that is cut off, with a line of its own, and serves the next one', async () => {
    for (const ahead of [true, false]) {
      await using echo = await startEcho(ahead);
      const socket = connect(echo.port, '127.0.0.1');
      const head = 'POST /api/echo/one HTTP/1.1\r\nhost: app.example\r\ncontent-type: application/json\r\n';
      socket.write(`${head}content-length: 100\r\n\r\n{"text":`);
      while (echo.held.bytes === 0) await new Promise(setImmediate);
      socket.destroy();
      while (echo.held.bytes > 0) await new Promise(setImmediate);
      await logged(echo.lines, 1);
      const { time: _, reqId: __, ms: ___, ...line } = echo.lines[0] ?? {};
      assert.deepEqual(line, { level: 30, method: 'POST', path: '/api/echo/one', msg: 'request broken off' });
      assert.equal((await echo.ask('/api/echo/one', { body: '{"text":"yes"}' })).status, 200);
    }
  });

  it('accepts bodies that come in pieces', async () => {
    await using echo = await startEcho(true);
    const socket = connect(echo.port, '127.0.0.1').setEncoding('utf8');
    const body = Buffer.from('{"text":"Ünï 🚀"}');
    const head = 'POST /api/echo/one HTTP/1.1\r\nhost: app.example\r\ncontent-type: application/json\r\n';
    socket.write(`${head}connection: close\r\ncontent-length: ${body.length}\r\n\r\n`);
    for (const byte of body) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    let text = '';
    for await (const part of socket) text += part;
    assert.match(text, /\r\n\r\n\{"text":"Ünï 🚀"\}$/u);
  });
});
