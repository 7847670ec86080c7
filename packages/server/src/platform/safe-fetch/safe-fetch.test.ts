import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type CountingListener, listenAndCount } from './counting-listener.ts';
import { anyName, fetchFrom, loopback, page, refusalOf } from './fetching.ts';
import { FetchRefused } from './refusal.ts';
import { createSafeFetch, type SafeFetchOptions } from './safe-fetch.ts';

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

  test('is requested with HEAD and the caller’s headers', async () => {
    await using listener = await listenAndCount((request, response) => {
      assert.equal(request.method, 'HEAD');
      response.setHeader('x-asked', request.headers['if-none-match'] ?? '').end();
    });
    const options = { method: 'HEAD', headers: { 'if-none-match': '"1"' } } as const;
    const fetched = await fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`, options);
    assert.equal(fetched.headers['x-asked'], '"1"');
    assert.equal(fetched.body.length, 0);
  });

  test('is found by a name in FETCH_ALLOW at an address that is otherwise forbidden', async () => {
    await using listener = await listenAndCount(page);
    const fetched = await fetchFrom(listener).fetchPage(`http://PAGES.example.com.:${listener.port}/`);
    assert.equal(fetched.finalUrl, `http://${anyName}:${listener.port}/`);
    assert.equal(fetched.text(), '<title>Hello</title>');
  });

  test('with a status other than 2xx is refused with that status', async () => {
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

  test('with headers named like members of Object.prototype is fetched', async () => {
    await using listener = await listenAndCount((_request, response) => {
      response.socket?.end(
        'HTTP/1.1 200 OK\r\n__proto__: a\r\n__proto__: b\r\nconstructor: c\r\ntoString: d\r\ncontent-length: 2\r\n\r\nok',
      );
    });
    const fetched = await fetchFrom(listener).fetchPage(`http://127.0.0.1:${listener.port}/`);
    assert.equal(fetched.text(), 'ok');
  });
});

describe('an address that is never listed is refused without a lookup or connection', () => {
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

  test('and an allowed address is returned in its normal form', async () => {
    await using listener = await listenAndCount(page);
    const { checkUrl } = fetchFrom(listener);
    assert.equal(checkUrl('HTTPS://Games.Example.com.:443/a#b').href, 'https://games.example.com/a');
    assert.equal(checkUrl('http://my_game.example.co.uk/').href, 'http://my_game.example.co.uk/');
    assert.equal(checkUrl('https://bücher.example.com').href, 'https://xn--bcher-kva.example.com/');
  });
});

describe('FETCH_ALLOW allows exactly what it names', () => {
  test('no other port, and no other name for the same address', async () => {
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

  test('an address in any spelling', async () => {
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

  test('in entries of the form host:port', () => {
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

describe('every network failure has the same answer', () => {
  async function messageOf(url: string, options: Partial<SafeFetchOptions>): Promise<string> {
    const error: unknown = await createSafeFetch({ allow: [], ownHosts: () => false, ...options })
      .fetchPage(url)
      .catch((reason) => reason);
    assert.ok(error instanceof FetchRefused);
    return JSON.stringify([error.message, error.refusal]);
  }

  test('unknown name, private address, closed port, no answer, broken answer', async () => {
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

  test('every form of a private address', async () => {
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
