import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import type { ResolvedAddress } from './connect.ts';
import { type CountingListener, listenAndCount } from './counting-listener.ts';
import { anyName, fetchFrom, page, refusalOf } from './fetching.ts';

describe('redirects', () => {
  async function redirecting(target: (listener: CountingListener, path: string) => string | null) {
    const listener: CountingListener = await listenAndCount((request, response) => {
      const location = target(listener, request.url ?? '');
      if (location === null) page(request, response);
      else response.writeHead(302, { location }).end('elsewhere');
    });
    return listener;
  }

  test('are followed, relative ones too', async () => {
    await using listener = await redirecting(({ port }, path) => {
      if (path === '/') return '/next?x#y';
      return path === '/next?x' ? `http://${anyName}:${port}/last` : null;
    });
    const fetched = await fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`);
    assert.equal(fetched.finalUrl, `http://${anyName}:${listener.port}/last`);
  });

  test('are followed five times, and not six times', async () => {
    await using listener = await redirecting((_listener, path) => {
      const left = Number(path.slice(1));
      return left === 0 ? null : `/${left - 1}`;
    });
    await fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/5`);
    assert.equal(listener.connections(), 6);
    const refusal = await refusalOf(fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/6`));
    assert.deepEqual(refusal, { kind: 'unreachable' });
    assert.equal(listener.connections(), 12);
  });

  test('end in a circle', async () => {
    await using listener = await redirecting(() => '/');
    const refusal = await refusalOf(fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`));
    assert.deepEqual(refusal, { kind: 'unreachable' });
    assert.equal(listener.connections(), 6);
  });

  test('to forbidden addresses are refused without a connection', async () => {
    await using other = await listenAndCount(page);
    for (const location of [
      `http://127.0.0.1:${other.port}/`,
      `http://2130706433:${other.port}/`,
      `http://localhost:${other.port}/`,
      `http://${anyName}:${other.port}/`,
      `//0x7f.1:${other.port}/`,
      'http://169.254.169.254/',
      'http://ada:secret@example.com/',
      'https://spaceport.example.com/',
      'file:///etc/passwd',
    ]) {
      await using listener = await redirecting(() => location);
      const safeFetch = fetchFrom(listener, { resolve: () => assert.fail('asked the DNS') });
      const refusal = await refusalOf(safeFetch.fetchPage(`http://127.0.0.1:${listener.port}/`));
      assert.deepEqual(refusal, { kind: 'not_listed' }, location);
    }
    assert.equal(other.connections(), 0);
  });

  test('to a name with a private address are unreachable', async () => {
    await using listener = await redirecting(() => 'http://private.example.com/');
    const refusal = await refusalOf(fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`));
    assert.deepEqual(refusal, { kind: 'unreachable' });
  });

  test('to invalid addresses are unreachable', async () => {
    await using listener = await redirecting(() => 'http://[');
    const refusal = await refusalOf(fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`));
    assert.deepEqual(refusal, { kind: 'unreachable' });
  });

  test('do not carry the caller’s headers to another origin', async () => {
    const asked: (string | undefined)[] = [];
    await using listener = await listenAndCount((request, response) => {
      asked.push(request.headers.authorization);
      const location = { '/': '/same', '/same': `http://${anyName}:${listener.port}/other` }[
        request.url ?? ''
      ];
      if (location) response.writeHead(307, { location }).end();
      else page(request, response);
    });
    const headers = { authorization: 'Bearer secret' };
    await fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`, { headers });
    assert.deepEqual(asked, ['Bearer secret', 'Bearer secret', undefined]);
  });
});

describe('limits', () => {
  const html = Buffer.from('<title>Hello</title>');
  const mebibyte = 1024 * 1024;
  const bomb = Buffer.alloc(16 * mebibyte);
  // The default is the best quality, which takes seconds for a bomb.
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
  const brotli = (bytes: Buffer) => brotliCompressSync(bytes, quality);
  const codings: [string, (bytes: Buffer) => Buffer][] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotli],
    ['zstd', zstdCompressSync],
    ['identity', (bytes) => bytes],
    ['gzip, br', (bytes) => brotli(gzipSync(bytes))],
    ['GZIP , identity', gzipSync],
  ];
  for (const [coding, encode] of codings) {
    test(`${coding} (${encode(html).length} bytes) is decoded, and a bomb of it is given up`, async () => {
      await using listener = await listenAndCount((request, response) => {
        response.setHeader('content-encoding', coding).end(encode(request.url === '/' ? html : bomb));
      });
      const safeFetch = fetchFrom(listener);
      const fetched = await safeFetch.fetchPage(`http://127.0.0.1:${listener.port}/`);
      assert.deepEqual(fetched.body, html);
      const refusal = await refusalOf(safeFetch.fetchPage(`http://127.0.0.1:${listener.port}/bomb`));
      assert.deepEqual(refusal, { kind: 'too_large' });
    });
  }

  test('a body of exactly the limit is read, one byte more is not', async () => {
    await using listener = await listenAndCount((request, response) => {
      response.end(Buffer.alloc(Number(request.url?.slice(1))));
    });
    const safeFetch = fetchFrom(listener);
    const fetched = await safeFetch.fetchPage(`http://127.0.0.1:${listener.port}/${mebibyte}`);
    assert.equal(fetched.body.length, mebibyte);
    const refusal = await refusalOf(safeFetch.fetchPage(`http://127.0.0.1:${listener.port}/${mebibyte + 1}`));
    assert.deepEqual(refusal, { kind: 'too_large' });
  });

  function writeForEver(response: ServerResponse, chunk: Buffer): void {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', () => writeForEver(response, chunk));
  }

  test('an endless body is cut, also one that decompresses to nothing', async () => {
    const zerosCut = Promise.withResolvers<void>();
    const nothingCut = Promise.withResolvers<void>();
    await using listener = await listenAndCount((request, response) => {
      const empty = request.url === '/nothing';
      response.once('close', (empty ? nothingCut : zerosCut).resolve);
      if (empty) response.setHeader('content-encoding', 'gzip');
      writeForEver(response, empty ? gzipSync('') : Buffer.alloc(16_384));
    });
    const safeFetch = fetchFrom(listener);
    for (const path of ['/zeros', '/nothing']) {
      const refusal = await refusalOf(safeFetch.fetchPage(`http://127.0.0.1:${listener.port}${path}`));
      assert.deepEqual(refusal, { kind: 'too_large' });
    }
    await Promise.all([zerosCut.promise, nothingCut.promise]);
  });

  test('the body of a redirect is not read', async () => {
    await using listener = await listenAndCount((request, response) => {
      if (request.url !== '/') return page(request, response);
      response.writeHead(302, { location: '/next' });
      writeForEver(response, Buffer.alloc(16_384));
    });
    const fetched = await fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`);
    assert.equal(fetched.text(), '<title>Hello</title>');
  });

  const deadlineMs = 300;
  test('a body that arrives byte by byte ends at the deadline', async () => {
    await using listener = await listenAndCount((_request, response) => {
      const drip = setInterval(() => response.write('x'), 10);
      response.once('close', () => clearInterval(drip));
    });
    const refusal = await refusalOf(
      fetchFrom(listener, { deadlineMs }).fetchPage(`http://127.0.0.1:${listener.port}/`),
    );
    assert.deepEqual(refusal, { kind: 'unreachable' });
  });

  test('slow headers and endless 1xx responses end at the deadline', async () => {
    await using listener = await listenAndCount((request, response) => {
      const { socket } = response;
      if (request.url === '/headers') socket?.write('HTTP/1.1 200 OK\r\n');
      const text = request.url === '/headers' ? 'x: y\r\n' : 'HTTP/1.1 103 Early Hints\r\n\r\n';
      const drip = setInterval(() => socket?.write(text), 10);
      socket?.once('close', () => clearInterval(drip));
    });
    for (const path of ['/headers', '/hints']) {
      const safeFetch = fetchFrom(listener, { deadlineMs });
      const refusal = await refusalOf(safeFetch.fetchPage(`http://127.0.0.1:${listener.port}${path}`));
      assert.deepEqual(refusal, { kind: 'unreachable' });
    }
  });

  test('one deadline covers all redirects', async () => {
    await using listener = await listenAndCount((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), deadlineMs / 2);
    });
    const refusal = await refusalOf(
      fetchFrom(listener, { deadlineMs }).fetchPage(`http://127.0.0.1:${listener.port}/`),
    );
    assert.deepEqual(refusal, { kind: 'unreachable' });
    assert.ok(listener.connections() <= 2);
  });

  test('a lookup that never ends is cut at the deadline', async () => {
    await using listener = await listenAndCount(page);
    const { promise: never } = Promise.withResolvers<ResolvedAddress[]>();
    const safeFetch = fetchFrom(listener, { deadlineMs, resolve: () => never });
    assert.deepEqual(await refusalOf(safeFetch.fetchPage('http://slow.example.com/')), {
      kind: 'unreachable',
    });
  });

  test('the caller’s signal and close() abort running requests', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    await using listener = await listenAndCount(() => resolve());
    const aborter = new AbortController();
    const safeFetch = fetchFrom(listener);
    const url = `http://127.0.0.1:${listener.port}/`;
    const aborted = safeFetch.fetchPage(url, { signal: aborter.signal });
    const closed = refusalOf(safeFetch.fetchPage(url));
    await asked;
    aborter.abort(new Error('changed my mind'));
    await assert.rejects(aborted, /changed my mind/u);
    safeFetch.close();
    assert.deepEqual(await closed, { kind: 'unreachable' });
    assert.deepEqual(await refusalOf(safeFetch.fetchPage(url)), { kind: 'unreachable' });
  });
});
