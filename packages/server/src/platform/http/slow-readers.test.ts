import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { cutSlowReaders, SlowReaders } from './slow-readers.ts';

const megabyte = 1024 * 1024;
/** More than both ends of a loopback connection hold. */
const body = Buffer.alloc(64 * megabyte, 1);

/**
 * A server that answers every request in this way, and a client that has sent one and reads nothing by
 * itself.
 */
async function connected(answer: (response: ServerResponse) => void, everyMs?: number) {
  const readers = new SlowReaders();
  const server = createServer((_request, response) => answer(response));
  const stop = everyMs === undefined ? undefined : cutSlowReaders(server, everyMs);
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [socket] = await accepted;
  if (!stop) readers.watch(socket);
  return {
    readers,
    client,
    socket,
    /** Reads at least this many bytes. */
    async take(bytes: number) {
      for (let got = 0; got < bytes; ) {
        const chunk = client.read() as Buffer | null;
        if (chunk) got += chunk.length;
        else await once(client, 'readable');
      }
    },
    async [Symbol.asyncDispose]() {
      stop?.();
      client.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Resolves once bytes wait for the reader. */
async function waiting(socket: Socket): Promise<void> {
  while (socket.writableLength === 0) await new Promise((resolve) => setImmediate(resolve));
}

describe('a client that reads a response', () => {
  test('not at all is disconnected after one window, and not before', async () => {
    await using on = await connected((response) => response.end(body));
    await waiting(on.socket);
    for (let look = 0; look < 6; look++) on.readers.look();
    assert.equal(on.socket.destroyed, false);
    on.readers.look();
    assert.equal(on.socket.destroyed, true);
  });

  test('steadily keeps its connection, even if the response is one large write', async () => {
    await using on = await connected((response) => response.end(body));
    await waiting(on.socket);
    for (let look = 0; look < 13; look++) {
      await on.take(4 * megabyte);
      on.readers.look();
      assert.equal(on.socket.destroyed, false);
    }
  });

  test('and stops in the middle is disconnected one window later', async () => {
    await using on = await connected((response) => response.end(body));
    for (let look = 0; look < 8; look++) {
      await on.take(4 * megabyte);
      on.readers.look();
    }
    await waiting(on.socket);
    for (let look = 0; look < 12 && !on.socket.destroyed; look++) {
      on.readers.look();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(on.socket.destroyed, true);
  });

  test('that is itself slow is not disconnected', async () => {
    await using on = await connected((response) => void response.write('so far'));
    await on.take(10);
    for (let look = 0; look < 20; look++) on.readers.look();
    assert.equal(on.socket.destroyed, false);
  });

  test('is checked by a timer', async () => {
    await using on = await connected((response) => response.end(body), 1);
    await once(on.socket, 'close');
  });
});
