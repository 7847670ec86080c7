import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SiteAtHost } from './site.ts';
import { assertUnavailable } from './testing/assert-unavailable.ts';
import { startContentHost } from './testing/content-host.ts';

describe('the lookup of sites', () => {
  test('is made once for all waiting requests, and then not again for 30 seconds', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': 'one' });
    await Promise.all(Array.from({ length: 20 }, () => host.ask('/')));
    assert.equal(host.state.lookups, 1);
    host.addSite('game', { 'index.html': 'two' });
    host.state.now += 29_999;
    assert.equal((await host.ask('/')).text, 'one');
    host.state.now += 1;
    assert.equal((await host.ask('/')).text, 'two');
    // A clock that is set back must not keep a site for longer.
    host.addSite('game', { 'index.html': 'three' });
    host.state.now -= 3_600_000;
    assert.equal((await host.ask('/')).text, 'three');
  });

  test('is repeated for the site that was forgotten, and only for that', async () => {
    await using host = await startContentHost();
    const other = { host: 'other.play.localhost:3000' };
    host.addSite('game', { 'index.html': 'one' });
    host.addSite('other', { 'index.html': 'one' });
    await Promise.all([host.ask('/'), host.ask('/', other)]);
    host.addSite('game', { 'index.html': 'two' });
    host.addSite('other', { 'index.html': 'two' });
    host.handler.forget('play', 'game');
    host.handler.forget('preview', 'other');
    assert.equal((await host.ask('/')).text, 'two');
    assert.equal((await host.ask('/', other)).text, 'one');
    host.handler.doubtAll();
    assert.equal((await host.ask('/', other)).text, 'two');
  });

  test('is not kept when a forget happens while it runs', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': 'one' });
    const old = host.sites.get('play/game') ?? { is: 'unknown' };
    const asked = Promise.withResolvers<void>();
    const result = Promise.withResolvers<SiteAtHost>();
    host.setFindSite(() => {
      asked.resolve();
      return result.promise;
    });
    const early = host.ask('/');
    await asked.promise;
    host.sites.set('play/game', { is: 'gone' });
    host.handler.forget('play', 'game');
    host.setFindSite(async (kind, label) => host.sites.get(`${kind}/${label}`) ?? { is: 'unknown' });
    assert.equal((await host.ask('/')).status, 410);
    result.resolve(old);
    await early;
    assert.equal((await host.ask('/')).status, 410);
  });

  test('leads to a 503 when it fails or never ends, and the next request tries again', async () => {
    await using host = await startContentHost({ waitMilliseconds: 50 });
    host.addSite('game', { 'index.html': 'home' });
    host.setFindSite(async () => {
      throw new Error('a secret of the database');
    });
    assertUnavailable(await host.ask('/'));
    host.setFindSite(() => new Promise(() => {}));
    assertUnavailable(await host.ask('/'));
    assert.equal(host.logged.length, 2);
    host.setFindSite(async (kind, label) => host.sites.get(`${kind}/${label}`) ?? { is: 'unknown' });
    assert.equal((await host.ask('/')).status, 200);
  });

  test('that fails leaves a live space as it was last known, for 50 seconds', async () => {
    await using host = await startContentHost({ waitMilliseconds: 50 });
    host.addSite('game', { 'index.html': 'one', 'level.json': '[]' });
    assert.equal((await host.ask('/')).text, 'one');
    host.handler.doubtAll();
    host.setFindSite(async () => {
      throw new Error('the database is away');
    });
    assert.equal((await host.ask('/')).text, 'one');
    assert.equal((await host.ask('/level.json')).text, '[]');
    assert.equal(host.state.lookups, 2, 'the second file waits for no look-up of its own');
    host.state.now += 1_000;
    host.setFindSite(() => new Promise(() => {}));
    assert.equal((await host.ask('/')).text, 'one');
    assert.equal(host.state.lookups, 3);
    host.state.now += 49_000;
    assertUnavailable(await host.ask('/'));
  });

  test('that fails leaves nothing of a space that has changed, nor of a preview', async () => {
    await using host = await startContentHost();
    const preview = { host: 'p--secret.temp.localhost:3000' };
    const unlisted = { host: 'u--page.temp.localhost:3000' };
    host.addSite('game', { 'index.html': 'one' });
    host.addSite('p--secret', { 'index.html': 'draft' }, { temporary: true });
    host.addSite('u--page', { 'index.html': 'page' }, { temporary: true });
    assert.equal((await host.ask('/')).status, 200);
    assert.equal((await host.ask('/', preview)).status, 200);
    assert.equal((await host.ask('/', unlisted)).status, 200);
    host.handler.doubtAll();
    host.setFindSite(async () => {
      throw new Error('the database is away');
    });
    assertUnavailable(await host.ask('/', preview));
    assert.equal((await host.ask('/', unlisted)).text, 'page');
    assert.equal((await host.ask('/')).status, 200);
    host.handler.forget('play', 'game');
    assertUnavailable(await host.ask('/'));
  });

  test('is repeated after 30 seconds for an unknown label', async () => {
    await using host = await startContentHost();
    assert.equal((await host.ask('/')).status, 404);
    host.addSite('game', { 'index.html': 'home' });
    assert.equal((await host.ask('/')).status, 404);
    host.state.now += 30_000;
    assert.equal((await host.ask('/')).status, 200);
  });
});
