import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { openListener } from './listener.ts';

const ask = (path: number) => `GET /${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

describe('requests that are sent before the response to an earlier one', () => {
  it('are handled one after the other, each with its body', async (t) => {
    const { socket, handled, next } = await start(t);
    socket.end(`${ask(1)}POST /2 HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nhi${ask(3)}`);
    const answers = text(socket);
    for (const path of ['/1', '/2', '/3']) {
      const response = await next();
      assert.equal(handled.at(-1), path);
      assert.equal(handled.length, Number(path.slice(1)));
      response.end(`${path} ${await text(response.req)};`);
    }
    assert.deepEqual((await answers).match(/\/\d [^;.]*;/gu), ['/1 ;', '/2 hi;', '/3 ;']);
  });

  it('are not handled when their connection was lost', async (t) => {
    const { port, socket, handled, next } = await start(t);
    socket.write(ask(1) + ask(2));
    const response = await next();
    socket.destroy();
    await once(response, 'close');
    response.end();
    // A later connection is answered, so nothing of the earlier one is to come.
    const other = connect(port, '127.0.0.1').end(ask(3));
    (await next()).end();
    await text(other);
    assert.deepEqual(handled, ['/1', '/3']);
  });

  it('end their connection when they are many', async (t) => {
    const { socket, handled, next } = await start(t);
    socket.write(Array.from({ length: 100 }, (_, at) => ask(at + 1)).join(''));
    const response = await next();
    await once(response, 'close');
    assert.deepEqual(handled, ['/1']);
  });
});

/** Opens a connection to a listener. The test answers its requests. */
async function start(t: TestContext) {
  const listener = await openListener('127.0.0.1', 0);
  t.after(() => listener.drain(0));
  const handled: (string | undefined)[] = [];
  const responses: ServerResponse[] = [];
  let came = Promise.withResolvers<void>();
  listener.handle((request, response) => {
    handled.push(request.url);
    responses.push(response);
    came.resolve();
  });
  const socket = connect(listener.port, '127.0.0.1');
  // A cut connection is an error for its client.
  socket.on('error', () => {});
  return {
    port: listener.port,
    socket,
    handled,
    next: async (): Promise<ServerResponse> => {
      await came.promise;
      came = Promise.withResolvers();
      return responses.at(-1) as ServerResponse;
    },
  };
}
