import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { portals } from '@spaceport/contract/portals';
import { shimSource, startContentHost } from '../testing/content-host.ts';

const crazyGames = `https://${portals.crazygames.sdk}`;
const playables = `https://${portals.playables.sdk}`;
const page = `<!doctype html><html><head><script src="${crazyGames}"></script><script src="${playables}"></script></head></html>`;
const sites = { sdk: true, shims: true, clientBoard: 'high' };
const address = /\/service\/shims\/crazygames\.js\?[\w-]{12}/u;

describe('a page that loads the SDK of a portal', () => {
  test('loads the shim instead when there is one, and is otherwise unchanged', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, sites);
    const answer = await host.ask('/');
    const ours = address.exec(answer.text)?.[0] ?? '';
    assert.ok(ours);
    const module = /<script src="\/service\/sdk\.js\?[\w-]{12}"><\/script>/u.exec(answer.text)?.[0] ?? '';
    assert.equal(answer.text.replace(module, '').replace(ours, crazyGames), page);
    assert.ok(answer.text.indexOf(module) < answer.text.indexOf(ours));
    assert.equal(answer.headers['content-length'], String(answer.body.length));
  });

  test('that is too large for memory loads the shim too', async () => {
    await using host = await startContentHost();
    const large = page + `<!-- ${'x'.repeat(1_000)} -->`.repeat(9_000);
    host.addSite('game', { 'index.html': large }, sites);
    const answer = await host.ask('/');
    const ours = address.exec(answer.text)?.[0] ?? '';
    const module = /<script src="\/service\/sdk\.js\?[\w-]{12}"><\/script>/u.exec(answer.text)?.[0] ?? '';
    assert.ok(ours && module);
    assert.equal(answer.text.replace(module, '').replace(ours, crazyGames), large);
    assert.equal(answer.headers['content-length'], String(answer.body.length));
    assert.equal(host.store.opened, host.store.closed);
  });

  test('is unchanged when the space does without shims, and its own files are served', async () => {
    await using host = await startContentHost();
    const files = { 'index.html': page, 'service/shims/crazygames.js': 'its own' };
    host.addSite('game', files, { sdk: true });
    host.addSite('bare', files, { shims: true });
    assert.ok((await host.ask('/')).text.includes(crazyGames));
    for (const name of ['game', 'bare']) {
      const at = { host: `${name}.play.localhost:3000` };
      assert.equal((await host.ask('/service/shims/crazygames.js', at)).text, 'its own');
    }
  });
});

describe('a page whose creator declares keys of portals', () => {
  const portalKeys = { gamejolt: { game_id: '32' } };

  test('loads the gateways script right after the module, with the keys in it', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, { ...sites, portalKeys });
    const { text } = await host.ask('/');
    const tags =
      /<script src="\/service\/sdk\.js\?[\w-]{12}"><\/script><script src="(\/service\/shims\/gateways\.js\?[\w-]{12})"><\/script>/u;
    const address = tags.exec(text)?.[1] ?? '';
    assert.ok(address, text);
    const answer = await host.ask(address);
    const told = '{"app":"http://localhost:3000","board":"high","keys":{"gamejolt":{"game_id":"32"}}}';
    assert.equal(answer.text, shimSource.replace('SPACEPORT_SHIM', told));
    const other = await host.ask('/service/shims/crazygames.js');
    assert.equal(
      other.text,
      shimSource.replace('SPACEPORT_SHIM', '{"app":"http://localhost:3000","board":"high"}'),
    );
  });

  test('does not load that script without keys or without shims', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, sites);
    host.addSite('bare', { 'index.html': page }, { sdk: true, portalKeys });
    for (const name of ['game', 'bare']) {
      const { text } = await host.ask('/', { host: `${name}.play.localhost:3000` });
      assert.ok(!text.includes('gateways.js'), name);
    }
  });
});

describe('the shim of an SDK', () => {
  test('contains the settings of its space, and is cached for good at the address that pages load', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, sites);
    const ours = address.exec((await host.ask('/')).text)?.[0] ?? '';
    const answer = await host.ask(ours, { headers: { 'accept-encoding': 'br' } });
    const expected = shimSource.replace('SPACEPORT_SHIM', '{"app":"http://localhost:3000","board":"high"}');
    assert.equal(brotliDecompressSync(answer.body).toString(), expected);
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    for (const other of ['/service/shims/crazygames.js', '/service/shims/crazygames.js?AAAAAAAAAAAA']) {
      const plain = await host.ask(other);
      assert.equal(plain.text, expected, other);
      assert.equal(plain.headers['cache-control'], 'public, max-age=0, must-revalidate');
    }
  });

  test('is served under its own name alone', async () => {
    await using host = await startContentHost();
    host.addSite('game', { 'index.html': page }, sites);
    for (const name of ['x.js', 'crazygames', 'crazygames.js.map', '__proto__.js', ''])
      assert.equal((await host.ask(`/service/shims/${name}`)).status, 404, name);
    assert.equal((await host.ask('/service/shims/playables.js')).status, 503, 'not built');
  });
});
