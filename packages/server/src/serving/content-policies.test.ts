import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answer, appOrigin, type ContentHost, startContentHost } from './testing/content-host.ts';

const temporary = { host: 'p--x.temp.localhost:3000' };

function assertCommon({ headers }: Answer): void {
  const policy = headers['content-security-policy'];
  assert.match(String(policy), new RegExp(`(^|; )frame-ancestors 'self' ${appOrigin}(;|$)`, 'u'));
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['origin-agent-cluster'], '?1');
  assert.equal(headers['referrer-policy'], 'same-origin');
  assert.equal(headers['permissions-policy'], 'camera=(), microphone=(), geolocation=(), payment=(), usb=()');
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  assert.match(String(headers['x-request-id']), /^[\w-]{10,}$/u);
  assert.equal(headers['set-cookie'], undefined);
  assert.equal(headers['access-control-allow-origin'], undefined);
}

function addGame(host: ContentHost, more: { isolated?: boolean } = {}) {
  return host.addSite(
    'game',
    { 'index.html': 'home', 'a.js': 'code', 'a.png': 'picture', 'a.wasm': 'w' },
    more,
  );
}

describe('the headers of content responses', () => {
  test('of a live site: policies, and revalidation by ETag', async () => {
    await using host = await startContentHost();
    const site = addGame(host);
    const page = await host.ask('/', { headers: { cookie: 'a=b' } });
    assertCommon(page);
    assert.equal(
      page.headers['content-security-policy'],
      `frame-ancestors 'self' ${appOrigin}; object-src 'none'; base-uri 'self'`,
    );
    assert.equal(page.headers['cache-control'], 'no-cache');
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(page.headers['content-length'], '4');
    assert.equal(page.headers.etag, `"${site.files.get('index.html')?.hash}"`);
    assert.equal(page.headers.vary, 'Accept-Encoding');
    assert.equal(page.headers['x-robots-tag'], undefined);
    assert.equal(page.headers['cross-origin-embedder-policy'], undefined);
    const picture = await host.ask('/a.png');
    assertCommon(picture);
    assert.equal(picture.headers['cache-control'], 'public, max-age=0, must-revalidate');
    assert.equal(picture.headers.vary, undefined);
    assert.notEqual(page.headers['x-request-id'], picture.headers['x-request-id']);
  });

  test('of an isolated site: pages, scripts and workers can share memory', async () => {
    await using host = await startContentHost();
    addGame(host, { isolated: true });
    for (const path of ['/', '/a.js']) {
      const { headers } = await host.ask(path);
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin', path);
      assert.equal(headers['cross-origin-embedder-policy'], 'credentialless', path);
      const held = await host.ask(path, { headers: { 'if-none-match': String(headers.etag) } });
      assert.equal(held.status, 304);
      assert.equal(held.headers['cross-origin-embedder-policy'], 'credentialless', path);
    }
    const { headers } = await host.ask('/a.png');
    assert.equal(headers['cross-origin-embedder-policy'], undefined);
  });

  test('of an isolated site: WebKit, which does not know credentialless, gets require-corp', async () => {
    await using host = await startContentHost();
    addGame(host, { isolated: true });
    const safari =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
    const chromeOnPhone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1';
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';
    for (const path of ['/', '/a.js'])
      for (const [agent, policy] of [
        [safari, 'require-corp'],
        [chrome, 'credentialless'],
        [chromeOnPhone, 'require-corp'],
      ] as const) {
        const { headers } = await host.ask(path, { headers: { 'user-agent': agent } });
        assert.equal(headers['cross-origin-embedder-policy'], policy, `${path} ${agent}`);
        assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
        assert.equal(headers.vary, 'Accept-Encoding, User-Agent');
        const held = await host.ask(path, {
          headers: { 'user-agent': agent, 'if-none-match': String(headers.etag) },
        });
        assert.deepEqual([held.status, held.headers['cross-origin-embedder-policy']], [304, policy]);
      }
    // What is shown in the frame in place of the site, too.
    const missing = await host.ask('/nothing', { headers: { 'user-agent': safari } });
    assert.equal(missing.headers['cross-origin-embedder-policy'], 'require-corp');
    assert.equal((await host.ask('/a.png', { headers: { 'user-agent': safari } })).headers.vary, undefined);
  });

  test('of a temporary site: not indexed, not stored, no service worker', async () => {
    await using host = await startContentHost();
    host.addSite('p--x', { 'index.html': 'home', 'sw.js': 'worker' }, { temporary: true });
    for (const path of ['/', '/sw.js', '/nothing']) {
      const answer = await host.ask(path, temporary);
      assertCommon(answer);
      assert.equal(answer.headers['x-robots-tag'], 'noindex', path);
      assert.equal(answer.headers['cache-control'], 'private, no-store', path);
    }
    const headers = { 'service-worker': 'script' };
    const refused = await host.ask('/sw.js', { ...temporary, headers });
    assert.equal(refused.status, 403);
    assert.doesNotMatch(refused.text, /worker$/u);
    addGame(host);
    assert.equal((await host.ask('/a.js', { headers })).status, 200);
  });

  test('of a gone site: 410, and the browser’s data of the site is cleared', async () => {
    await using host = await startContentHost();
    host.sites.set('play/game', { is: 'gone' });
    for (const path of ['/', '/a.js', '/service/sdk.js']) {
      const answer = await host.ask(path);
      assert.equal(answer.status, 410);
      assert.equal(answer.headers['clear-site-data'], '"cache", "storage"');
      assert.equal(answer.headers['cache-control'], 'private, no-store');
      assertCommon(answer);
    }
  });

  test('of a site that is away: 410, and the browser keeps its data', async () => {
    await using host = await startContentHost();
    host.sites.set('play/game', { is: 'gone', why: 'away' });
    for (const path of ['/', '/a.js', '/service/sdk.js']) {
      const answer = await host.ask(path);
      assert.equal(answer.status, 410);
      assert.equal(answer.headers['clear-site-data'], '"cache"');
      assert.equal(answer.headers['cache-control'], 'private, no-store');
      assertCommon(answer);
    }
  });

  test('of an expired site: 410 from the exact time on, though the site is cached', async () => {
    await using host = await startContentHost();
    const expiresAt = host.state.now + 1_000;
    host.addSite('p--x', { 'index.html': 'home' }, { temporary: true, expiresAt });
    host.state.now = expiresAt - 1;
    assert.equal((await host.ask('/', temporary)).status, 200);
    host.state.now = expiresAt;
    const answer = await host.ask('/', temporary);
    assert.equal(answer.status, 410);
    assert.equal(answer.headers['clear-site-data'], '"cache", "storage"');
    assert.equal(host.state.lookups, 1);
  });

  test('of an unknown site: a plain 404 that repeats nothing of the request', async () => {
    await using host = await startContentHost();
    const answer = await host.ask('/<script>alert(1)</script>?<b>', { host: 'nobody.play.localhost:3000' });
    assert.equal(answer.status, 404);
    assertCommon(answer);
    assert.match(
      String(answer.headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-/u,
    );
    assert.doesNotMatch(answer.text, /script|nobody|<b>/u);
    assert.equal(answer.headers['clear-site-data'], undefined);
  });

  test('allow only GET and HEAD', async () => {
    await using host = await startContentHost();
    addGame(host);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const answer = await host.ask('/', { method });
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers.allow, 'GET, HEAD', method);
      assertCommon(answer);
    }
    assert.equal(host.state.lookups, 0);
  });

  test('are the same for HEAD, which has no body and does not read the store', async () => {
    await using host = await startContentHost();
    addGame(host);
    for (const path of ['/', '/a.js', '/nothing']) {
      const head = await host.ask(path, { method: 'HEAD' });
      assert.equal(host.store.reads + host.store.opened, 0);
      assert.equal(head.body.length, 0);
      const get = await askFresh(path);
      assert.equal(head.status, get.status);
      assert.deepEqual(withoutChanging(head), withoutChanging(get));
    }
  });
});

async function askFresh(path: string): Promise<Answer> {
  await using host = await startContentHost();
  addGame(host);
  return await host.ask(path);
}

function withoutChanging({ headers }: Answer) {
  const { date, 'x-request-id': requestId, ...rest } = headers;
  assert.ok(date);
  assert.ok(requestId);
  return rest;
}
