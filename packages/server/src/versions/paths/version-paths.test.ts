import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type Files, fileEntries, publishFiles, publishLive } from '../../../test/files.ts';
import { type Persona, startService, type TestService } from '../../../test/service.ts';

const picture = randomBytes(5_000);
const game = (mark: string, more: Files = {}): Files => ({
  'index.html': `<!doctype html><title>${mark}</title><script src="game.js"></script>`,
  'game.js': `document.title = "${mark}";`,
  'a.png': picture,
  ...more,
});
const forever = 'public, max-age=31536000, immutable';

describe('a space at the addresses of its versions', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());

  const live = (slug: string) => service.service.platform.urls.live(slug);
  const ask = (slug: string, path: string, headers: Record<string, string> = {}) =>
    service.get(live(slug) + path, { headers });
  const frameOf = async (slug: string) => {
    const text = (await service.get(`${service.baseUrl}/s/${slug}`)).text();
    return /"frame":"([^"]+)"/u.exec(text.slice(text.indexOf('"page":"space"')))?.[1];
  };
  const framed = async (slug: string) => (await frameOf(slug))?.slice(live(slug).length);
  const publishTwo = async () => {
    const first = await publishLive(service, creator, game('one'));
    const { slug } = first.space;
    const second = await publishLive(service, creator, game('two'), { space: slug });
    return { slug, first: first.version, second: second.version };
  };

  it('opens at that of the live version, which open tabs keep after the next publish', async () => {
    const { space } = await publishLive(service, creator, game('one'));
    const { slug } = space;
    assert.equal(await framed(slug), '~1/');
    assert.equal((await creator.client.readSpace({ params: { slug } })).url, live(slug));
    assert.match((await ask(slug, '~1/')).text(), /<title>one/u);
    await publishLive(service, creator, game('two'), { space: slug });
    assert.equal(await framed(slug), '~2/');
    for (const [number, mark] of [
      [1, 'one'],
      [2, 'two'],
    ]) {
      const page = await ask(slug, `~${number}/`);
      assert.match(page.text(), new RegExp(`<title>${mark}`, 'u'));
      assert.equal(page.headers['cache-control'], 'no-cache');
      const script = await ask(slug, `~${number}/game.js`);
      assert.match(script.text(), new RegExp(`${mark}`, 'u'));
      assert.equal(script.headers['cache-control'], forever);
    }
    assert.match((await ask(slug, '')).text(), /<title>two/u);
    const module = /src="(\/service\/sdk\.js\?[^"]+)"/u.exec((await ask(slug, '~1/')).text())?.[1] ?? '';
    const loaded = await ask(slug, module.slice(1), { referer: `${live(slug)}~1/` });
    assert.equal(loaded.headers['cache-control'], forever);
    service.clock.advance({ hours: 24, seconds: 1 });
    assert.equal((await ask(slug, '~1/')).status, 410);
    assert.equal((await ask(slug, '~2/')).status, 200);
  });

  it('opens at the earlier one after a rollback, and at the later one again', async () => {
    const { slug, second } = await publishTwo();
    service.clock.advance({ days: 2 });
    assert.equal((await ask(slug, '~1/')).status, 410);
    const rollback = (version: number) =>
      creator.call('POST', `/api/v1/hosting/spaces/${slug}/rollback`, { version });
    assert.equal((await rollback(1)).status, 200);
    assert.equal(await framed(slug), '~1/');
    assert.match((await ask(slug, '~1/')).text(), /<title>one/u);
    assert.match((await ask(slug, '~2/')).text(), /<title>two/u);
    service.clock.advance({ days: 2 });
    assert.equal((await ask(slug, '~1/')).status, 200);
    assert.equal((await ask(slug, '~2/')).status, 410);
    assert.equal((await rollback(second.number)).status, 200);
    assert.equal(await framed(slug), '~2/');
    assert.equal((await ask(slug, '~1/')).status, 200);
  });

  it('redirects to the first version with the same file while a served version has the file', async () => {
    const { slug } = await publishTwo();
    const led = await ask(slug, '~2/a.png');
    assert.deepEqual([led.status, led.headers.location], [307, '/~1/a.png']);
    service.clock.advance({ days: 3 });
    assert.equal((await ask(slug, '~1/a.png')).status, 200);
    assert.equal((await ask(slug, '~1/game.js')).status, 410);
    await publishLive(service, creator, game('three'), { space: slug });
    assert.equal((await ask(slug, '~3/a.png')).headers.location, '/~1/a.png');
    // The file is removed, and comes back.
    await publishLive(service, creator, { 'index.html': 'four' }, { space: slug });
    assert.equal((await ask(slug, '~4/a.png')).status, 404);
    await publishLive(service, creator, game('five'), { space: slug });
    assert.equal((await ask(slug, '~5/a.png')).headers.location, '/~1/a.png');
    await publishLive(service, creator, game('six', { 'a.png': randomBytes(5_000) }), { space: slug });
    assert.equal((await ask(slug, '~6/a.png')).status, 200);
    service.clock.advance({ days: 2 });
    assert.equal((await ask(slug, '~1/a.png')).status, 410);
  });

  it('answers 410 for a version that its creator withdraws', async () => {
    const { slug, first } = await publishTwo();
    assert.equal((await ask(slug, '~1/')).status, 200);
    assert.equal((await creator.call('DELETE', `/api/v1/hosting/versions/${first.id}`)).status, 200);
    for (const path of ['~1/', '~1/game.js', '~1/a.png']) {
      const answer = await ask(slug, path);
      assert.equal(answer.status, 410, path);
      assert.equal(answer.headers['clear-site-data'], undefined);
    }
    // Redirected clients still get the files that the live version has too; no new request is redirected
    // there.
    assert.equal((await ask(slug, '~1/a.png', { referer: `${live(slug)}~2/` })).status, 200);
    assert.equal((await ask(slug, '~2/a.png')).status, 200);
    assert.equal((await ask(slug, '~9/')).status, 410);
  });

  it('has none for a version that was never live', async () => {
    const { slug } = await publishTwo();
    await publishFiles(creator, game('preview'), { space: slug });
    assert.equal((await ask(slug, '~3/')).status, 410);
  });

  it('answers 410 there while it is offline, and works again afterwards', async () => {
    const { slug } = await publishTwo();
    const change = (what: string) => creator.call('POST', `/api/spaces/${slug}/${what}`);
    assert.equal((await change('offline')).status, 200);
    for (const path of ['~1/', '~2/', '~2/game.js', '~1/a.png'])
      assert.equal((await ask(slug, path)).status, 410, path);
    assert.equal((await change('online')).status, 200);
    assert.equal((await ask(slug, '~2/')).status, 200);
  });

  it('has none for versions that would not work there or switch it off', async () => {
    const kinds: [string, Files, Record<string, unknown>][] = [
      ['spa', game('x'), { spa: true }],
      ['switched off', game('x'), { version_paths: false }],
      ['by the root', game('x', { 'index.html': '<script src="/game.js"></script>' }), {}],
      ['service worker', game('x', { 'game.js': 'navigator.serviceWorker.register("sw.js")' }), {}],
      ['router', game('x', { 'game.js': 'open(location.pathname); history.pushState(0, "", "two")' }), {}],
    ];
    for (const [kind, files, declared] of kinds) {
      const { space } = await publishLive(service, creator, files, declared);
      assert.equal(await framed(space.slug), '', kind);
      assert.equal((await ask(space.slug, '~1/')).status, 410, kind);
      const script = await ask(space.slug, 'game.js');
      assert.equal(script.headers['cache-control'], 'public, max-age=0, must-revalidate', kind);
    }
  });

  it('stops using them when a version switches them off', async () => {
    const { slug } = await publishTwo();
    await publishLive(service, creator, game('three'), { space: slug, version_paths: false });
    assert.equal(await framed(slug), '');
    assert.equal((await ask(slug, '~3/')).status, 410);
    assert.match((await ask(slug, '~2/')).text(), /<title>two/u);
    assert.match((await ask(slug, 'game.js')).text(), /three/u);
  });

  it('accepts no uploaded file whose path looks like one', async () => {
    const files = fileEntries({ ...game('x'), '~7/a.js': 'x' });
    const answer = await creator.call('POST', '/api/v1/hosting/versions', {
      fields: { title: 'Taken', space_type: 'game', devices: ['desktop'] },
      files,
    });
    assert.equal(answer.status, 422);
    assert.deepEqual([answer.json().code, answer.json().paths], ['invalid_files', ['~7/a.js']]);
  });
});
