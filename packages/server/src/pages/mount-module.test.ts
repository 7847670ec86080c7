import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { portalNames } from '@spaceport/contract/portals';
import { page, publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { withoutModule } from '../../test/without-module.ts';
import '../../test/one-engine.ts';

/** Largest compressed size of the module, and of its second script. */
const maxBytes = 8 * 1024;
const maxSecondBytes = 8 * 1024;
/** Largest compressed size of each portal script, which only that portal's games load. */
const mostShimBytes = 4 * 1024;

describe('the player module', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());

  test('is added to versions that go live, and served with its version and source', async () => {
    const boards = [
      { key: 'laps', sort: 'asc' as const },
      { key: 'high' },
      { key: 'gold', keep: 'sum' as const },
    ];
    const { space } = await publishLive(service, creator, smallGame, { boards });
    const url = service.service.platform.urls.live(space.slug);
    const shown = await service.get(url);
    assert.equal(withoutModule(shown.text()), page);
    const address = /src="([^"]+)"/u.exec(shown.text())?.[1] ?? '';
    const module = await service.get(new URL(address, url).href, { headers: { 'accept-encoding': 'br' } });
    assert.ok(module.body.length <= maxBytes, `${module.body.length} bytes`);
    const known = { version: 1, ascending: ['laps'], keeps: { last: [], sum: ['gold'] }, storage: true };
    const served = { app: service.baseUrl, hosted: true, env: 'live', ...known };
    const text = brotliDecompressSync(module.body).toString();
    assert.ok(text.includes(JSON.stringify(served).slice(0, -1)), text.slice(-300));
    assert.match(String(module.headers['cache-control']), /immutable/u);
  });

  test('loads the second script from an address of its own, where it is cached for good', async () => {
    const { space } = await publishLive(service, creator, smallGame);
    const live = service.service.platform.urls.live(space.slug);
    for (const from of [`${live}service/sdk.js`, `${service.baseUrl}/sdk.js`]) {
      const module = (await service.get(from)).text();
      const [, named = ''] = /"together":"([^"]+)"/u.exec(module) ?? [];
      const address = new URL(named, live).href;
      assert.equal(new URL(address).origin, new URL(from).origin);
      const script = await service.get(address, { headers: { 'accept-encoding': 'br' } });
      assert.ok(script.body.length <= maxSecondBytes, `${script.body.length} bytes`);
      assert.match(brotliDecompressSync(script.body).toString(), /export/u);
      assert.match(String(script.headers['cache-control']), /immutable/u);
      const other = await service.get(address.replace(/\?.*/u, '?another'));
      assert.doesNotMatch(String(other.headers['cache-control']), /immutable/u);
    }
  });

  test('is left out when service.json says so', async () => {
    const files = { ...smallGame, 'service/sdk.js': 'mine' };
    const { space } = await publishLive(service, creator, files, { sdk: false });
    const url = service.service.platform.urls.live(space.slug);
    assert.equal((await service.get(url)).text(), page);
    assert.equal((await service.get(`${url}service/sdk.js`)).text(), 'mine');
  });

  test('knows the addresses of the portal shims, which know the first board that players post to', async () => {
    const boards = [{ key: 'ours', trust: 'server' as const }, { key: 'high' }];
    const { space } = await publishLive(service, creator, smallGame, { boards });
    const url = service.service.platform.urls.live(space.slug);
    const text = (await service.get(`${url}service/sdk.js`)).text();
    for (const portal of portalNames) {
      const [address = ''] = new RegExp(`/service/shims/${portal}\\.js\\?[\\w-]{12}`, 'u').exec(text) ?? [];
      const shim = await service.get(new URL(address, url).href, { headers: { 'accept-encoding': 'br' } });
      assert.equal(shim.status, 200, portal);
      assert.match(String(shim.headers['cache-control']), /immutable/u);
      assert.ok(shim.body.length <= mostShimBytes, `${portal}: ${shim.body.length} bytes`);
      assert.match(brotliDecompressSync(shim.body).toString(), /"board":"high"/u);
    }
  });

  test('replaces no portal SDK when service.json says so', async () => {
    const files = { ...smallGame, 'service/shims/poki.js': 'mine' };
    const { space } = await publishLive(service, creator, files, { shims: false });
    const url = service.service.platform.urls.live(space.slug);
    assert.doesNotMatch((await service.get(`${url}service/sdk.js`)).text(), /service\/shims/u);
    assert.equal((await service.get(`${url}service/shims/poki.js`)).text(), 'mine');
    assert.equal((await service.get(`${url}service/shims/crazygames.js`)).status, 404);
    await assert.rejects(publishFiles(creator, files), { code: 'invalid_files' });
  });

  test('is at two addresses of the service, for pages of any site', async () => {
    for (const path of ['/sdk.js', '/service/sdk-1.js', '/service/sdk-together-1.js']) {
      const url = `${service.baseUrl}${path}`;
      const answer = await service.get(url);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['access-control-allow-origin'], '*');
      assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin');
      const headers = { 'if-none-match': String(answer.headers.etag) };
      assert.equal((await service.get(url, { headers })).status, 304);
      const packed = await service.get(url, { headers: { 'accept-encoding': 'br' } });
      assert.equal(brotliDecompressSync(packed.body).toString(), answer.text());
      assert.equal((await service.get(url, { method: 'HEAD' })).status, 200);
      const same = await service.get(url, { method: 'HEAD', headers });
      assert.deepEqual([same.status, same.headers.etag], [304, answer.headers.etag]);
    }
  });
});
