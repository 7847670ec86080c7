import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
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
import { FetchRefused, type Refusal } from './refusal.ts';
import { createSafeFetch, type SafeFetchOptions } from './safe-fetch.ts';

const anyName = 'pages.example.com';
const loopback: ResolvedAddress = { address: '127.0.0.1', family: 4 };

function fetchFrom(listener: CountingListener, options: Partial<SafeFetchOptions> = {}) {
  return createSafeFetch({
    allow: [`127.0.0.1:${listener.port}`, `${anyName}:${listener.port}`],
    ownHosts: (host) => host === 'spaceport.example.com' || host.endsWith('.play.example.com'),
    resolve: async () => [loopback],
    ...options,
  });
}

async function refusalOf(fetched: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await fetched.then(
    () => assert.fail('was not refused'),
    (reason) => reason,
  );
  assert.ok(error instanceof FetchRefused, `${error}`);
  return error.refusal;
}

const page: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8').end('<title>Hello</title>');
};

describe('a page', () => {
  test('is fetched', async () => {
    await using listener = await listenAndCount((request, response) => {
      assert.equal(request.headers.host, `127.0.0.1:${listener.port}`);
      response.setHeader('content-security-policy', ["default-src 'self'", 'frame-ancestors *']);
      response.setHeader('content-type', 'Text/HTML; Charset=UTF-8');
      response.end(`<title>Hé ${request.method} ${request.url}</title>`);
    });
    const fetched = await fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/a?b=c#d`);
    assert.equal(fetched.status, 200);
    assert.equal(fetched.finalUrl, `http://127.0.0.1:${listener.port}/a?b=c`);
    assert.equal(fetched.contentType, 'text/html');
    assert.deepEqual(fetched.headers['content-security-policy'], ["default-src 'self'", 'frame-ancestors *']);
    assert.equal(fetched.text(), '<title>Hé GET /a?b=c</title>');
  });

  test('is asked for with HEAD and headers of the caller', async () => {
    await using listener = await listenAndCount((request, response) => {
      assert.equal(request.method, 'HEAD');
      response.setHeader('x-asked', request.headers['if-none-match'] ?? '').end();
    });
    const options = { method: 'HEAD', headers: { 'if-none-match': '"1"' } } as const;
    const fetched = await fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`, options);
    assert.equal(fetched.headers['x-asked'], '"1"');
    assert.equal(fetched.body.length, 0);
  });

  test('is found by a name that FETCH_ALLOW lists, at an address it would otherwise not be', async () => {
    await using listener = await listenAndCount(page);
    const fetched = await fetchFrom(listener).fetchPage(`http://PAGES.example.com.:${listener.port}/`);
    assert.equal(fetched.finalUrl, `http://${anyName}:${listener.port}/`);
    assert.equal(fetched.text(), '<title>Hello</title>');
  });

  test('that answers otherwise than with 2xx is refused by its status', async () => {
    await using listener = await listenAndCount((request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end();
    });
    for (const status of [300, 302, 304, 401, 404, 500, 503])
      assert.deepEqual(
        await refusalOf(fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/${status}`)),
        {
          kind: 'status',
          status,
        },
      );
  });

  test('with headers named as members of every object is fetched', async () => {
    await using listener = await listenAndCount((_request, response) => {
      response.socket?.end(
        'HTTP/1.1 200 OK\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\ntoString: d\r\ncontent-length: 2\r\n\r\nok',
      );
    });
    const fetched = await fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`);
    assert.equal(fetched.text(), 'ok');
  });
});

describe('an address that is never listed is refused without a question to anybody', () => {
  const addresses = [
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/html,hello',
    'javascript:alert(1)',
    'gopher://example.com/',
    'not an address',
    '',
    '//example.com/',
    'http://ada@example.com/',
    'http://:secret@example.com/',
    'http://example.com:81/',
    'https://example.com:8443/',
    'http://example.com:22/',
    'http://93.184.216.34/',
    'http://[2606:4700:4700::1111]/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://0/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fd00::1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://play.localhost/',
    'http://intranet/',
    'http://com/',
    'http://printer.local/',
    'http://metadata.google.internal/',
    'http://a.test/',
    'http://a.example/',
    'http://a.invalid/',
    'http://a.onion/',
    'http://1.0.0.127.in-addr.arpa/',
    'http://router.home.arpa/',
    'http://nas.home/',
    'http://nas.lan/',
    'http://wiki.corp/',
    'http://wiki.corp./',
    'http://a..example.com/',
    'http://example.com../',
    'http://./',
    'http://-a.example.com/',
    `http://${'a'.repeat(64)}.example.com/`,
    `http://${'a.'.repeat(130)}com/`,
    'http://spaceport.example.com/',
    'https://SPACEPORT.example.com./api/',
    'https://game.play.example.com/',
  ];
  for (const address of addresses) {
    test(JSON.stringify(address), async () => {
      await using listener = await listenAndCount(page);
      const safeFetch = fetchFrom(listener, { resolve: () => assert.fail('asked the DNS') });
      assert.deepEqual(await refusalOf(safeFetch.fetchPage(address)), { kind: 'not_listed' });
      assert.throws(() => safeFetch.checkUrl(address), FetchRefused);
    });
  }

  test('and one that may be is given back as it would be asked for', async () => {
    await using listener = await listenAndCount(page);
    const { checkUrl } = fetchFrom(listener);
    assert.equal(checkUrl('HTTPS://Games.Example.com.:443/a#b').href, 'https://games.example.com/a');
    assert.equal(checkUrl('http://my_game.example.co.uk/').href, 'http://my_game.example.co.uk/');
    assert.equal(checkUrl('https://bücher.example.com').href, 'https://xn--bcher-kva.example.com/');
  });
});

describe('FETCH_ALLOW lets through exactly what it names', () => {
  test('not another port, nor another name for the same address', async () => {
    await using listener = await listenAndCount(page);
    await using other = await listenAndCount(page);
    const safeFetch = fetchFrom(listener);
    for (const address of [
      `http://127.0.0.1:${other.port}/`,
      `http://localhost:${listener.port}/`,
      `http://[::ffff:127.0.0.1]:${listener.port}/`,
      `http://other.example.com:${listener.port}/`,
      `http://ada@127.0.0.1:${listener.port}/`,
      `ftp://127.0.0.1:${listener.port}/`,
    ])
      assert.deepEqual(await refusalOf(safeFetch.fetchPage(address)), { kind: 'not_listed' }, address);
    assert.equal(listener.connections() + other.connections(), 0);
  });

  test('in any spelling of an address', async () => {
    await using listener = await listenAndCount(page);
    const safeFetch = fetchFrom(listener);
    await safeFetch.fetchPage(`http://2130706433:${listener.port}/`);
    assert.equal(listener.connections(), 1);
    const { checkUrl } = fetchFrom(listener, {
      allow: ['[::1]:8080', 'Intranet:80', '[0:0::ffff:7f00:1]:443'],
    });
    assert.equal(checkUrl('http://[0:0:0::1]:8080/').host, '[::1]:8080');
    assert.equal(checkUrl('http://intranet/').host, 'intranet');
    assert.equal(checkUrl('https://[::ffff:127.0.0.1]/').host, '[::ffff:7f00:1]');
  });

  test('and must be host:port', () => {
    for (const entry of [
      'localhost',
      'localhost:',
      'localhost:0',
      'localhost:65536',
      ':80',
      '::1:80',
      'http://a:80',
      'a b:80',
    ])
      assert.throws(
        () => createSafeFetch({ allow: [entry], ownHosts: () => false }),
        /is not host:port/u,
        entry,
      );
  });
});

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

  test('are followed five times, not six', async () => {
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

  test('in a circle end', async () => {
    await using listener = await redirecting(() => '/');
    const refusal = await refusalOf(fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`));
    assert.deepEqual(refusal, { kind: 'unreachable' });
    assert.equal(listener.connections(), 6);
  });

  test('to what is not listed are refused, and nobody is asked', async () => {
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

  test('to nowhere are unreachable', async () => {
    await using listener = await redirecting(() => 'http://[');
    const refusal = await refusalOf(fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`));
    assert.deepEqual(refusal, { kind: 'unreachable' });
  });

  test("do not carry the caller's headers to another origin", async () => {
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

describe('everything that takes the network to find out is one answer', () => {
  async function messageOf(url: string, options: Partial<SafeFetchOptions>): Promise<string> {
    const error: unknown = await createSafeFetch({ allow: [], ownHosts: () => false, ...options })
      .fetchPage(url)
      .catch((reason) => reason);
    assert.ok(error instanceof FetchRefused);
    return JSON.stringify([error.message, error.refusal]);
  }

  test('no such name, a refused address, a closed port, silence, a broken answer', async () => {
    await using silent = await listenAndCount(() => undefined);
    await using broken = await listenAndCount((_request, response) => void response.socket?.end('nonsense'));
    await using short = await listenAndCount((_request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('short');
      response.socket?.end();
    });
    await using headerBomb = await listenAndCount((_request, response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${'y'.repeat(1_000)}\r\n`.repeat(100)}\r\n`);
    });
    await using garbled = await listenAndCount((_request, response) => {
      response.setHeader('content-encoding', 'gzip').end('not gzip');
    });
    await using unknown = await listenAndCount((_request, response) => {
      response.setHeader('content-encoding', 'compress').end('x');
    });
    await using nested = await listenAndCount((_request, response) => {
      response.setHeader('content-encoding', 'gzip, gzip, gzip').end(gzipSync(gzipSync(gzipSync('x'))));
    });
    const closed = await listenAndCount(page);
    await closed[Symbol.asyncDispose]();
    const at = (listener: CountingListener, scheme = 'http') => {
      const allow = [`127.0.0.1:${listener.port}`];
      return messageOf(`${scheme}://127.0.0.1:${listener.port}/`, { allow, deadlineMs: 1_000 });
    };
    const named = (resolve: SafeFetchOptions['resolve']) => messageOf('http://a.example.com/', { resolve });
    const messages = await Promise.all([
      named(() => Promise.reject(new Error('ENOTFOUND'))),
      named(async () => []),
      named(async () => [loopback]),
      named(async () => [{ address: 'nonsense', family: 4 }]),
      ...[silent, broken, short, headerBomb, garbled, unknown, nested, closed].map((listener) =>
        at(listener),
      ),
      at(silent, 'https'),
    ]);
    assert.deepEqual(
      new Set(messages),
      new Set(['["The page could not be reached.",{"kind":"unreachable"}]']),
    );
  });

  test('every form of an address that is not public', async () => {
    for (const address of [
      '10.0.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
    ])
      assert.match(
        await messageOf('http://a.example.com/', { resolve: async () => [{ address, family: 4 }] }),
        /reached/u,
      );
    for (const address of [
      '::1',
      '::',
      'fd00::1',
      'fe80::1%lo',
      '::ffff:127.0.0.1',
      '64:ff9b::a00:1',
      '2002:7f00:1::',
    ])
      assert.match(
        await messageOf('https://a.example.com/', { resolve: async () => [{ address, family: 6 }] }),
        /reached/u,
      );
  });
});

describe('limits', () => {
  const html = Buffer.from('<title>Hello</title>');
  const mebibyte = 1024 * 1024;
  const bomb = Buffer.alloc(16 * mebibyte);
  // The best quality, the default, takes seconds for a bomb.
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

  test('an endless body is cut, also one that decodes to nothing', async () => {
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

  test('the body of a redirect is not waited for', async () => {
    await using listener = await listenAndCount((request, response) => {
      if (request.url !== '/') return page(request, response);
      response.writeHead(302, { location: '/next' });
      writeForEver(response, Buffer.alloc(16_384));
    });
    const fetched = await fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`);
    assert.equal(fetched.text(), '<title>Hello</title>');
  });

  const deadlineMs = 300;
  test('a body that drips ends at the deadline, however often it drips', async () => {
    await using listener = await listenAndCount((_request, response) => {
      const drip = setInterval(() => response.write('x'), 10);
      response.once('close', () => clearInterval(drip));
    });
    const refusal = await refusalOf(
      fetchFrom(listener, { deadlineMs }).fetchPage(`http://127.0.0.1:${listener.port}/`),
    );
    assert.deepEqual(refusal, { kind: 'unreachable' });
  });

  test('headers that drip, and answers before the answer, end at the deadline', async () => {
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

  test('the deadline is one for all redirects', async () => {
    await using listener = await listenAndCount((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), deadlineMs / 2);
    });
    const refusal = await refusalOf(
      fetchFrom(listener, { deadlineMs }).fetchPage(`http://127.0.0.1:${listener.port}/`),
    );
    assert.deepEqual(refusal, { kind: 'unreachable' });
    assert.ok(listener.connections() <= 2);
  });

  test('a name server that never answers ends at the deadline', async () => {
    await using listener = await listenAndCount(page);
    const { promise: never } = Promise.withResolvers<ResolvedAddress[]>();
    const safeFetch = fetchFrom(listener, { deadlineMs, resolve: () => never });
    assert.deepEqual(await refusalOf(safeFetch.fetchPage('http://slow.example.com/')), {
      kind: 'unreachable',
    });
  });

  test("the caller's signal and close() end what is under way", async () => {
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
