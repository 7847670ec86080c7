import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { type CountingListener, listenAndCount } from './counting-listener.ts';
import { createSafeProxy, type SafeProxyOptions } from './safe-proxy.ts';

const limits = { maxBytes: 1024 * 1024, maxConnections: 8 };

async function proxyFor(listener: CountingListener, options: Partial<SafeProxyOptions> = {}) {
  const proxy = await createSafeProxy({
    allow: [`127.0.0.1:${listener.port}`, `pages.example.com:${listener.port}`],
    ownHosts: (host) => host === 'spaceport.example.com' || host.endsWith('.play.example.com'),
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ...limits,
    ...options,
  });
  return Object.assign(proxy, { [Symbol.asyncDispose]: () => proxy.close() });
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

async function ask(proxyUrl: string, path: string, options: object = {}, body = ''): Promise<Answer> {
  const asked = request(proxyUrl, { path, agent: false, ...options });
  asked.end(body);
  const [answer]: [IncomingMessage] = (await once(asked, 'response')) as [IncomingMessage];
  const text = (await answer.setEncoding('utf8').toArray()).join('');
  return { status: answer.statusCode, headers: answer.headers, text };
}

async function connectThrough(
  proxyUrl: string,
  path: string,
): Promise<{ status: number | undefined; socket: Socket }> {
  const asked = request(proxyUrl, { method: 'CONNECT', path, agent: false });
  asked.end();
  const [answer, socket] = (await once(asked, 'connect')) as [IncomingMessage, Socket];
  return { status: answer.statusCode, socket };
}

describe('the safe proxy forwards', () => {
  test('a request with its body, and the response, without hop-by-hop headers', async () => {
    await using listener = await listenAndCount((incoming, response) => {
      const { host, 'proxy-authorization': credentials, 'x-hop': hop, 'x-end': end } = incoming.headers;
      response
        .setHeader('connection', 'x-answer-hop')
        .setHeader('x-answer-hop', '1')
        .setHeader('x-answer-end', '1');
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      incoming.once('data', (body) =>
        response.end(JSON.stringify([host, credentials, hop, end, incoming.url, `${body}`])),
      );
    });
    await using proxy = await proxyFor(listener);
    const headers = {
      host: 'liar.example',
      'proxy-authorization': 'x',
      connection: 'x-hop',
      'x-hop': '1',
      'x-end': '1',
    };
    const path = `http://pages.example.com:${listener.port}/a?b`;
    const answer = await ask(proxy.url, path, { method: 'POST', headers }, 'hello');
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(answer.text), [
      `pages.example.com:${listener.port}`,
      null,
      null,
      '1',
      '/a?b',
      'hello',
    ]);
    assert.equal(answer.headers['x-answer-hop'], undefined);
    assert.equal(answer.headers['x-answer-end'], '1');
    assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
    const counts = proxy.counts();
    assert.equal(counts.requests, 1);
    assert.equal(counts.refused, 0);
    assert.ok(counts.bytes > 5);
  });

  test('a tunnel', async () => {
    await using listener = await listenAndCount((_incoming, response) => response.end('through the tunnel'));
    await using proxy = await proxyFor(listener);
    const { status, socket } = await connectThrough(proxy.url, `127.0.0.1:${listener.port}`);
    assert.equal(status, 200);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const text = (await socket.setEncoding('utf8').toArray()).join('');
    assert.match(text, /through the tunnel$/u);
  });

  test('requests for the service’s content hosts to the address that the run gives', async () => {
    await using listener = await listenAndCount((incoming, response) => response.end(incoming.headers.host));
    const asked: string[] = [];
    await using proxy = await proxyFor(listener, {
      allow: [],
      mapHost: (host) => {
        asked.push(host);
        return host.includes('play') ? { host: '127.0.0.1', port: listener.port } : null;
      },
    });
    for (const host of ['pong.play.example.com', 'pong.play.localhost:3000']) {
      const answer = await ask(proxy.url, `http://${host}/`);
      assert.equal(answer.text, host);
    }
    const { status, socket } = await connectThrough(proxy.url, 'pong.play.example.com:443');
    assert.equal(status, 200);
    socket.destroy();
    assert.equal((await ask(proxy.url, 'http://spaceport.example.com/')).status, 502);
    assert.deepEqual(asked, [
      'pong.play.example.com',
      'pong.play.localhost:3000',
      'pong.play.example.com',
      'spaceport.example.com',
    ]);
  });
});

describe('the safe proxy refuses', () => {
  const hosts = (port: number) => [
    `127.0.0.1:${port + 1}`,
    `localhost:${port}`,
    `other.example.com:${port}`,
    `[::1]:${port}`,
    `2130706433:${port + 1}`,
    'private.example.com:80',
    '169.254.169.254:80',
    'metadata.google.internal:80',
    'spaceport.example.com:80',
    'game.play.example.com:443',
    '93.184.216.34:443',
    'example.com:22',
  ];

  test('forbidden hosts with one answer and without a connection', async () => {
    await using listener = await listenAndCount((_incoming, response) => response.end('secret'));
    await using proxy = await proxyFor(listener);
    const answers = [];
    for (const host of hosts(listener.port)) {
      const { status, headers, text } = await ask(proxy.url, `http://${host}/`);
      answers.push(JSON.stringify([status, { ...headers, date: '' }, text]));
      const tunnel = await connectThrough(proxy.url, host);
      assert.equal(tunnel.status, 502, host);
      tunnel.socket.destroy();
    }
    assert.equal(new Set(answers).size, 1);
    assert.match(answers[0] ?? '', /^\[502,/u);
    assert.equal(listener.connections(), 0);
    assert.equal(proxy.counts().refused, 2 * hosts(0).length);
  });

  test('a request that is not a proxy request', async () => {
    await using listener = await listenAndCount((_incoming, response) => response.end('secret'));
    await using proxy = await proxyFor(listener);
    const { port } = listener;
    for (const path of [
      '/',
      `https://127.0.0.1:${port}/`,
      `ftp://127.0.0.1:${port}/`,
      `http://a@127.0.0.1:${port}/`,
      '*',
    ])
      assert.equal((await ask(proxy.url, path)).status, 502, path);
    for (const path of ['/', '127.0.0.1', `http://127.0.0.1:${port}`, `a@127.0.0.1:${port}`, ':80'])
      assert.equal((await connectThrough(proxy.url, path)).status, 502, path);
    assert.equal(listener.connections(), 0);
  });

  test('hosts that the run does not permit', async () => {
    await using listener = await listenAndCount((_incoming, response) => response.end('ok'));
    await using proxy = await proxyFor(listener, { permits: ({ host }) => host !== 'pages.example.com' });
    assert.equal((await ask(proxy.url, `http://pages.example.com:${listener.port}/`)).status, 502);
    assert.equal((await ask(proxy.url, `http://127.0.0.1:${listener.port}/`)).status, 200);
    assert.equal(listener.connections(), 1);
  });

  test('an invalid response', async () => {
    await using listener = await listenAndCount(
      (_incoming, response) => void response.socket?.end('nonsense'),
    );
    await using proxy = await proxyFor(listener);
    assert.equal((await ask(proxy.url, `http://127.0.0.1:${listener.port}/`)).status, 502);
  });
});

describe('the limits of the safe proxy', () => {
  test('cut every connection after the byte limit of the run, and refuse later ones', async () => {
    await using listener = await listenAndCount((incoming, response) => {
      response.end(Buffer.alloc(incoming.url === '/small' ? 10 : 200_000));
    });
    await using proxy = await proxyFor(listener, { maxBytes: 100_000 });
    const url = `http://127.0.0.1:${listener.port}`;
    assert.equal((await ask(proxy.url, `${url}/small`)).status, 200);
    const idle = await connectThrough(proxy.url, `127.0.0.1:${listener.port}`);
    const cut = once(idle.socket, 'close');
    await assert.rejects(ask(proxy.url, `${url}/large`));
    await cut;
    assert.equal((await ask(proxy.url, `${url}/small`)).status, 502);
    assert.equal(listener.connections(), 3);
  });

  test('count sent bytes too', async () => {
    await using listener = await listenAndCount((incoming) => void incoming.resume());
    await using proxy = await proxyFor(listener, { maxBytes: 100_000 });
    const options = { method: 'POST' };
    await assert.rejects(ask(proxy.url, `http://127.0.0.1:${listener.port}/`, options, 'x'.repeat(200_000)));
    const { socket } = await connectThrough(proxy.url, `127.0.0.1:${listener.port}`);
    socket.destroy();
  });

  test('refuse more connections at once than allowed', async () => {
    await using listener = await listenAndCount(() => undefined);
    await using proxy = await proxyFor(listener, { maxConnections: 2 });
    const target = `127.0.0.1:${listener.port}`;
    const first = await connectThrough(proxy.url, target);
    const second = await connectThrough(proxy.url, target);
    assert.deepEqual([first.status, second.status], [200, 200]);
    await assert.rejects(connectThrough(proxy.url, target));
    assert.equal(listener.connections(), 2);
    first.socket.destroy();
    second.socket.destroy();
  });

  test('end the connection to the web when the browser disconnects', async () => {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    await using listener = await listenAndCount((incoming) => {
      incoming.socket.once('close', () => resolve());
      onAsked();
    });
    await using proxy = await proxyFor(listener);
    const waiting = request(proxy.url, { path: `http://127.0.0.1:${listener.port}/`, agent: false });
    waiting.on('error', () => undefined).end();
    await asked;
    waiting.destroy();
    await gone;
  });

  test('cut everything on close, which may be called twice', async () => {
    await using listener = await listenAndCount(() => undefined);
    const proxy = await proxyFor(listener);
    const { socket } = await connectThrough(proxy.url, `127.0.0.1:${listener.port}`);
    const waiting = ask(proxy.url, `http://127.0.0.1:${listener.port}/`);
    const refused = assert.rejects(waiting);
    const cut = once(socket, 'close');
    await proxy.close();
    await Promise.all([cut, refused]);
    await proxy.close();
    await assert.rejects(ask(proxy.url, `http://127.0.0.1:${listener.port}/`));
  });
});
