import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ContentHost, startContentHost } from './testing/content-host.ts';

const big = (mark: string) => mark.repeat(40_000);
const forever = 'public, max-age=31536000, immutable';
const origin = 'http://game.play.localhost:3000';
const from = (path: string) => ({ headers: { referer: `${origin}${path}` } });

/** Version 8 is live, 7 was live before it, and 5 is over. `a.png` is the same in 8 and 5. */
function addVersions(host: ContentHost): void {
  const files = (mark: string) => ({
    'index.html': `page ${mark}`,
    'game.js': big(mark),
    'small.css': mark,
    'a.png': 'p'.repeat(2_000),
    'docs/index.html': `docs ${mark}`,
    '404.html': `lost ${mark}`,
  });
  const numbers = { 8: Number.POSITIVE_INFINITY, 7: host.state.now + 60_000 };
  host.addSite('game', files('8'), { number: 8, numbers, origins: { 'a.png': 5 } });
  host.addSite('game~7', files('7'), { number: 7, origins: { 'a.png': 5 } });
  host.addSite('game~5', { 'a.png': 'p'.repeat(2_000) }, { number: 8, remains: 'all' });
  host.addSite('game~4', { 'b.png': 'q'.repeat(2_000) }, { number: 8, remains: 'led' });
}

async function served(run: (host: ContentHost) => Promise<void>): Promise<void> {
  await using host = await startContentHost();
  addVersions(host);
  await run(host);
}

describe('a version at its own address', () => {
  test('is served completely: pages are revalidated, all other files are cached for good', () =>
    served(async (host) => {
      for (const number of [7, 8]) {
        const page = await host.ask(`/~${number}/`);
        assert.equal(page.text, `page ${number}`);
        assert.equal(page.headers['cache-control'], 'no-cache');
        assert.ok(page.headers.etag);
        const again = await host.ask(`/~${number}/`, {
          headers: { 'if-none-match': `${page.headers.etag}` },
        });
        assert.equal(again.status, 304);
        for (const path of ['game.js', 'small.css']) {
          const file = await host.ask(`/~${number}/${path}?v=1`);
          assert.equal(file.status, 200);
          assert.equal(file.text[0], String(number));
          assert.equal(file.headers['cache-control'], forever);
          assert.equal(file.headers.vary, 'Accept-Encoding, Available-Dictionary');
          assert.equal(file.headers['referrer-policy'], 'same-origin');
          const match = path === 'game.js' ? 'match="/~*/game.js"' : undefined;
          assert.equal(file.headers['use-as-dictionary'], match);
        }
      }
      assert.equal((await host.ask('/%7E7/game.js')).text, big('7'));
      assert.match(
        `${(await host.ask('/~8/')).headers['content-security-policy']}`,
        /^frame-ancestors 'self'/u,
      );
    }));

  test('keeps an image or data with scripts for good in its pages, and revalidates it in a frame or tab', async () => {
    await using host = await startContentHost();
    const files = { 'index.svg': '<svg/>', 'level.xml': '<level/>', 'cover.svgz': 'packed' };
    host.addSite('game', files, { number: 8, numbers: { 8: Number.POSITIVE_INFINITY }, entry: 'index.svg' });
    const cacheControl = async (path: string, destination?: string) => {
      const asked = destination === undefined ? {} : { headers: { 'sec-fetch-dest': destination } };
      const answer = await host.ask(path, asked);
      assert.match(String(answer.headers.vary), /Sec-Fetch-Dest/u);
      return answer.headers['cache-control'];
    };
    for (const path of ['/~8/', '/~8/index.svg', '/~8/level.xml', '/~8/cover.svgz']) {
      for (const destination of ['image', 'empty'])
        assert.equal(await cacheControl(path, destination), forever, path);
      // Who sends no destination may be anything.
      for (const destination of ['document', 'iframe', 'frame', 'embed', 'object', undefined])
        assert.equal(await cacheControl(path, destination), 'no-cache', `${path} ${destination}`);
    }
  });

  test('has its own folders and its own 404 page', () =>
    served(async (host) => {
      assert.equal((await host.ask('/~7')).headers.location, '/~7/');
      assert.equal((await host.ask('/~7?a=1')).headers.location, '/~7/?a=1');
      assert.equal((await host.ask('/~7/docs?a=1')).headers.location, '/~7/docs/?a=1');
      assert.equal((await host.ask('/~7/docs/')).text, 'docs 7');
      const missing = await host.ask('/~7/nothing.js');
      assert.deepEqual([missing.status, missing.text], [404, 'lost 7']);
      assert.equal((await host.ask('/~7/%zz')).status, 400);
      assert.equal((await host.ask('/~7//evil.example')).headers.location, undefined);
    }));

  test('also answers its pages’ requests without the number, by their Referer', () =>
    served(async (host) => {
      assert.equal((await host.ask('/game.js', from('/~7/'))).text, big('7'));
      const file = await host.ask('/game.js', from('/~7/docs/'));
      assert.equal(file.headers['cache-control'], 'public, max-age=0, must-revalidate');
      assert.equal(file.headers['use-as-dictionary'], undefined);
      assert.equal((await host.ask('/', from('/~7/'))).text, 'page 7');
      for (const path of ['/', '/~8/', '/~5/', '/~4/', '/~99/'])
        assert.equal((await host.ask('/game.js', from(path))).text, big('8'), path);
      const foreign = { headers: { referer: 'http://evil.example/~7/' } };
      assert.equal((await host.ask('/game.js', foreign)).text, big('8'));
    }));

  test('is answered with 410 after its end', () =>
    served(async (host) => {
      host.state.now += 60_001;
      // The remaining files are those that other versions need.
      host.sites.delete('play/game~7');
      const over = await host.ask('/~7/');
      assert.equal(over.status, 410);
      assert.equal(over.headers['clear-site-data'], undefined);
      assert.equal(over.headers['cache-control'], 'private, no-store');
      assert.equal((await host.ask('/~7/game.js')).status, 410);
      assert.equal((await host.ask('/~8/')).status, 200);
      for (const path of ['/~99/', '/~99/game.js', '/~6/index.html'])
        assert.equal((await host.ask(path)).status, 410, path);
    }));

  test('is answered with 410 when its space is gone', () =>
    served(async (host) => {
      assert.equal((await host.ask('/~8/')).status, 200);
      host.sites.set('play/game', { is: 'gone' });
      host.handler.forget('play', 'game');
      for (const path of ['/', '/~8/', '/~7/game.js', '/~5/a.png']) {
        const answer = await host.ask(path);
        assert.equal(answer.status, 410, path);
        assert.equal(answer.headers['clear-site-data'], '"cache", "storage"');
      }
    }));

  test('is not replaced by an outdated version when this node has not heard that the space is gone', () =>
    served(async (host) => {
      assert.equal((await host.ask('/game.js')).text, big('8'));
      host.sites.set('play/game', { is: 'gone' });
      host.sites.set('play/game~7', { is: 'gone' });
      assert.equal((await host.ask('/game.js', from('/~7/'))).status, 410);
      assert.equal((await host.ask('/~7/game.js')).status, 410);
    }));
});

describe('a file that is unchanged since an earlier version', () => {
  test('is redirected there with a permanent cache entry, and found there when that version is over', () =>
    served(async (host) => {
      for (const number of [7, 8]) {
        const led = await host.ask(`/~${number}/a.png?x=1`);
        assert.deepEqual([led.status, led.headers.location], [307, '/~5/a.png?x=1']);
        assert.equal(led.headers['cache-control'], forever);
        assert.equal(led.headers['cross-origin-resource-policy'], 'cross-origin');
      }
      const file = await host.ask('/~5/a.png?x=1');
      assert.deepEqual([file.status, file.body.length], [200, 2_000]);
      assert.equal(file.headers['cache-control'], forever);
      assert.equal((await host.ask('/~5/game.js')).status, 410);
      assert.equal((await host.ask('/~5/')).status, 410);
      assert.equal((await host.ask('/~5/service/sdk.js')).status, 410);
      assert.equal((await host.ask('/a.png')).status, 200);
    }));

  test('of a withdrawn version is sent to redirected clients, and to nobody else', () =>
    served(async (host) => {
      assert.equal((await host.ask('/~4/b.png')).status, 410);
      assert.equal((await host.ask('/~4/b.png', from('/~8/'))).status, 200);
      assert.equal((await host.ask('/~4/other.png', from('/~8/'))).status, 410);
      assert.equal(
        (await host.ask('/~4/b.png', { headers: { referer: 'http://evil.example/~8/' } })).status,
        410,
      );
    }));
});

describe('the lookup of a version', () => {
  test('is made once for many requests', () =>
    served(async (host) => {
      await Promise.all(Array.from({ length: 20 }, () => host.ask('/~7/game.js')));
      assert.equal(host.state.lookups, 2);
      await host.ask('/~7/');
      await host.ask('/~8/game.js');
      await host.ask('/game.js', from('/~7/'));
      assert.equal(host.state.lookups, 2);
    }));

  test('is repeated for a version that this node has not heard of', () =>
    served(async (host) => {
      await host.ask('/');
      const numbers = { 9: Number.POSITIVE_INFINITY };
      host.addSite('game', { 'index.html': 'page 9' }, { number: 9, numbers });
      host.addSite('game~9', { 'index.html': 'page 9' }, { number: 9 });
      assert.equal((await host.ask('/~9/')).text, 'page 9');
      assert.equal((await host.ask('/')).text, 'page 9');
    }));

  test('is dropped when the label’s site changes', () =>
    served(async (host) => {
      assert.equal((await host.ask('/~7/small.css')).text, '7');
      host.sites.delete('play/game~7');
      host.addSite(
        'game',
        { 'index.html': 'page 8' },
        { number: 8, numbers: { 8: Number.POSITIVE_INFINITY } },
      );
      host.handler.forget('play', 'game');
      assert.equal((await host.ask('/~7/small.css')).status, 410);
    }));
});

test('an address with a number is an ordinary path when the site has no version addresses', async () => {
  await using host = await startContentHost();
  host.addSite('game', { 'index.html': 'home', '~7/a.js': 'own' });
  assert.equal((await host.ask('/~7/a.js')).text, 'own');
  assert.equal((await host.ask('/~8/')).status, 404);
  host.addSite('game', { 'index.html': 'home', '~7/a.js': 'own' }, { numbers: {} });
  host.handler.forget('play', 'game');
  assert.equal((await host.ask('/~7/a.js?x')).text, 'own');
  assert.equal((await host.ask('/~7/b.js')).status, 410);
});
