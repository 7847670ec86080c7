import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { createClientAddress } from './client-address.ts';
import { inTurn } from './in-turn.ts';
import { openListener } from './listener.ts';

const burst = 60;
/** Longer than a turn spends on work that can wait. */
const workMs = 4;

/** A server with one small response that is ready at once, and others that cost time. */
async function busyServer() {
  const listener = await openListener('127.0.0.1', 0);
  let worked = 0;
  const workedBefore = Promise.withResolvers<number>();
  const work = inTurn((_request, response) => {
    for (const until = performance.now() + workMs; performance.now() < until; );
    worked++;
    response.end('worked');
  }, createClientAddress(false));
  listener.handle((request, response) => {
    if (request.url !== '/small') return work(request, response);
    workedBefore.resolve(worked);
    response.end('small');
  });
  const clients: Socket[] = [];
  return {
    /** How much work was done before the small response. */
    workedBefore: workedBefore.promise,
    worked: () => worked,
    connect() {
      const client = connect(listener.port, '127.0.0.1');
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy();
      await listener.drain(0);
    },
  };
}

function ask(client: Socket, path: string): Promise<unknown> {
  client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return once(client, 'data');
}

describe('many requests at once', () => {
  test('let a small one be answered between them', async () => {
    await using server = await busyServer();
    const clients = Array.from({ length: burst + 1 }, () => server.connect());
    await Promise.all(clients.map((client) => once(client, 'connect')));
    // A server that has responded to a client has accepted it.
    await Promise.all(clients.map((client) => ask(client, '/')));
    const before = server.worked();
    const answers = clients.map((client, at) => ask(client, at === burst ? '/small' : '/'));
    assert.ok((await server.workedBefore) - before < burst / 4);
    await Promise.all(answers);
    assert.equal(server.worked(), before + burst);
  });

  test('on connections of their own let a later one be answered between them', async () => {
    await using server = await busyServer();
    const clients = Array.from({ length: burst + 1 }, () => server.connect());
    const answers = clients.map((client, at) => ask(client, at === burst ? '/small' : '/'));
    assert.ok((await server.workedBefore) < burst / 4);
    await Promise.all(answers);
    assert.equal(server.worked(), burst);
  });

  test('are not processed after their clients disconnect', async () => {
    await using server = await busyServer();
    const clients = Array.from({ length: burst }, () => server.connect());
    for (const client of clients) client.on('error', () => {});
    await Promise.all(clients.map((client) => once(client, 'connect')));
    await Promise.all(clients.map((client) => ask(client, '/')));
    const before = server.worked();
    const first = Promise.race(clients.map((client) => ask(client, '/')));
    await first;
    for (const client of clients) client.destroy();
    await Promise.all(clients.map((client) => client.closed || once(client, 'close')));
    const last = server.connect();
    await ask(last, '/');
    assert.ok(server.worked() - before < burst);
  });
});
