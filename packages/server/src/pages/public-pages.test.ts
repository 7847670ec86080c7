import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileEntries, listing, publishFiles, publishLive, putFile, smallGame } from '../../test/files.ts';
import { owningPlayer } from '../../test/owning-player.ts';
import { accountPlayer } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';

describe('pages that need no account', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const open = (path: string) => service.get(`${service.baseUrl}${path}`);

  it('list published spaces, and say how to publish', async () => {
    assert.match((await open('/')).text(), /be the first/u);
    const creator = await service.creator();
    const { space } = await publishLive(service, creator);
    const home = await open('/');
    assert.match(home.text(), new RegExp(`/s/${space.slug}"`, 'u'));
    assert.match(home.text().replaceAll(/<[^>]*>/gu, ''), /\/cli\.tgz publish/u);
    assert.match((await open('/?q=hopper')).text(), new RegExp(`/s/${space.slug}"`, 'u'));
    assert.match((await open('/?q=nothing-like-it')).text(), /Nothing has all the words/u);
    assert.match((await open(`/@${creator.handle}`)).text(), new RegExp(`/s/${space.slug}"`, 'u'));
    assert.equal((await open('/@nobody_here')).status, 404);
  });

  it('show a space in a frame with only the permissions that a game needs', async () => {
    const creator = await service.creator();
    const { space } = await publishLive(service, creator, smallGame, {
      fields: {
        ...listing,
        devices: ['desktop'],
        title: '<script>alert(1)</script>',
        description: '"><img src=x onerror=alert(2)>',
      },
    });
    const page = await open(`/s/${space.slug}`);
    assert.equal(page.status, 200);
    const origin = new URL(service.service.platform.urls.live(space.slug)).origin;
    const [frame = ''] = /<iframe (?:[^">]|"[^"]*")*>/u.exec(page.text()) ?? [];
    assert.ok(frame.includes(` src="${origin}/~1/"`), frame);
    assert.ok(frame.includes(' sandbox="allow-scripts allow-same-origin'), frame);
    assert.match(String(page.headers['content-security-policy']), new RegExp(`frame-src ${origin};`, 'u'));
    assert.match(String(page.headers['content-security-policy']), /default-src 'self'/u);
    assert.ok(!page.text().includes('<script>alert') && !page.text().includes('<img src=x'));
    assert.ok(!page.text().includes('noindex'));
  });

  it('are complete in link previews, also where nothing has a picture yet', async () => {
    const creator = await service.creator();
    const { space } = await publishLive(service, creator);
    const paths = ['/', `/s/${space.slug}`, `/@${creator.handle}`, '/drop', '/docs/api'];
    const named = (text: string, name: string) =>
      new RegExp(`<meta (?:property|name)="${name}" content="([^"]+)"`, 'u').exec(text)?.[1];
    for (const path of paths) {
      const text = (
        await service.get(`${service.baseUrl}${path}`, { headers: { accept: 'text/html' } })
      ).text();
      assert.equal(named(text, 'og:url'), `${service.baseUrl}${path}`, path);
      for (const name of ['og:title', 'og:type', 'og:description', 'og:image:alt', 'description'])
        assert.ok(named(text, name), `${path} ${name}`);
      assert.equal(named(text, 'twitter:card'), 'summary_large_image');
      assert.equal(named(text, 'og:image'), `${service.baseUrl}/card.png`);
    }
    const picture = await open('/card.png');
    assert.deepEqual(
      [picture.status, picture.headers['content-type'], picture.headers['cross-origin-resource-policy']],
      [200, 'image/png', 'cross-origin'],
    );
    // Its own size: width and height in the header of a PNG.
    assert.deepEqual([picture.body.readUInt32BE(16), picture.body.readUInt32BE(20)], [1280, 720]);
    const touch = await open('/apple-touch-icon.png');
    assert.deepEqual([touch.status, touch.body.readUInt32BE(16)], [200, 180]);
  });

  it('have an icon and a name on a phone’s home screen', async () => {
    const text = (await open('/')).text();
    const [, path = ''] = /<link rel="manifest" href="([^"]+)"/u.exec(text) ?? [];
    const manifest = await open(path);
    assert.equal(manifest.headers['content-type'], 'application/manifest+json; charset=utf-8');
    const { name, start_url, icons } = manifest.json();
    assert.deepEqual([name, start_url], ['Spaceport', '/']);
    for (const { src, sizes } of icons) {
      const icon = await open(src);
      assert.equal(icon.headers['content-type'], 'image/png');
      assert.equal(`${icon.body.readUInt32BE(16)}x${icon.body.readUInt32BE(20)}`, sizes);
    }
  });

  it('are described to search engines, with text that cannot leave its place', async () => {
    const creator = await service.creator();
    const fields = {
      ...listing,
      devices: [...listing.devices],
      title: '</script><script>alert(1)</script>',
      description: `"<!--<script> Moths & lanterns. ${'On and on it goes. '.repeat(40)}`,
      tags: ['arcade', 'one-button'],
    };
    const { space } = await publishLive(service, creator, smallGame, { fields });
    const text = (await open(`/s/${space.slug}`)).text();
    const blocks = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gsu)];
    assert.equal(blocks.length, 1);
    assert.doesNotMatch(blocks[0]?.[1] ?? '', /[<>&]/u);
    const described = JSON.parse(blocks[0]?.[1] ?? '');
    assert.deepEqual(described['@type'], ['VideoGame', 'WebApplication']);
    assert.equal(described.name, fields.title);
    assert.equal(described.description, fields.description);
    assert.equal(described.url, `${service.baseUrl}/s/${space.slug}`);
    assert.equal(described.author.url, `${service.baseUrl}/@${creator.handle}`);
    assert.equal(described.keywords, 'arcade, one-button');
    assert.equal(described.isAccessibleForFree, true);
    assert.equal(described.interactionStatistic.userInteractionCount, 0);
    const [, short = ''] = /<meta name="description" content="([^"]+)"/u.exec(text) ?? [];
    assert.match(short, /^&quot;&lt;!--.* On and on it goes…$/u);
    await creator.client.changeSpace({ params: { slug: space.slug }, body: { page: { unlisted: true } } });
    assert.doesNotMatch((await open(`/s/${space.slug}`)).text(), /ld\+json/u);
  });

  it('are named to search engines, if their creators list them', async () => {
    const creator = await service.creator();
    const { space } = await publishLive(service, creator);
    const hider = await service.creator();
    const hidden = (await publishLive(service, hider)).space.slug;
    await hider.client.changeSpace({ params: { slug: hidden }, body: { page: { unlisted: true } } });
    const draft = (await publishFiles(creator, smallGame)).space.slug;
    // Longer than a sitemap is kept.
    service.clock.advance({ minutes: 11 });
    assert.match(
      (await open('/robots.txt')).text(),
      new RegExp(`^Sitemap: ${service.baseUrl}/sitemap.xml$`, 'mu'),
    );
    const map = await open('/sitemap.xml');
    assert.deepEqual([map.status, map.headers['content-type']], [200, 'application/xml; charset=utf-8']);
    const named = [...map.text().matchAll(/<loc>([^<]+)<\/loc>/gu)].map(([, address]) => address);
    const has = (path: string) => named.includes(`${service.baseUrl}${path}`);
    assert.deepEqual(['/', `/s/${space.slug}`, `/@${creator.handle}`].map(has), [true, true, true]);
    assert.deepEqual([`/s/${hidden}`, `/@${hider.handle}`, `/s/${draft}`].map(has), [false, false, false]);
    assert.equal(new Set(named).size, named.length);
  });

  it('frame a preview as long as its link is valid, and list it nowhere', async () => {
    const creator = await service.creator();
    const { space, previewUrl = '', previewPageUrl = '' } = await publishFiles(creator, smallGame);
    const label = new URL(previewUrl).hostname.split('.')[0];
    assert.equal(previewPageUrl, `${service.baseUrl}/preview/${label}`);
    const page = await service.get(previewPageUrl);
    assert.equal(page.status, 200);
    assert.ok(page.text().includes(`<iframe`) && page.text().includes(`src="${previewUrl}"`));
    assert.match(page.text(), /name="robots" content="noindex"/u);
    assert.equal(page.headers['x-robots-tag'], 'noindex');
    assert.equal(page.headers['cache-control'], 'no-store');
    const policy = String(page.headers['content-security-policy']);
    assert.ok(policy.includes(`frame-src ${new URL(previewUrl).origin};`), policy);
    assert.match(policy, /frame-ancestors 'none'/u);
    assert.match(page.text(), /"env":"sandbox","version":1/u);
    for (const other of ['p--never', `u--${space.slug}`, space.slug, 'r--anything'])
      assert.equal((await open(`/preview/${other}`)).status, 404, other);
    await service.service.platform.database.db
      .updateTable('spaces')
      .set({ state: 'held' })
      .where('slug', '=', space.slug)
      .execute();
    assert.equal((await service.get(previewPageUrl)).status, 410);
    const { previewPageUrl: ending = '' } = await publishFiles(creator, smallGame);
    service.clock.advance({ hours: 25 });
    const ended = await service.get(ending);
    assert.equal(ended.status, 410);
    assert.match(ended.text(), /The link has ended/u);
  });

  it('isolate a space that needs shared memory, and the page around it', async () => {
    const creator = await service.creator();
    const { space } = await publishLive(service, creator, {
      'index.html': '<script src=a.js></script>',
      'a.js': 'const memory = new SharedArrayBuffer(1024);',
    });
    const page = await open(`/s/${space.slug}`);
    assert.equal(page.headers['cross-origin-embedder-policy'], 'credentialless');
    const address = service.service.platform.urls.live(space.slug);
    const content = await service.get(address);
    assert.equal(content.headers['cross-origin-embedder-policy'], 'credentialless');
    // Each browser gets its own, also when the page is answered from memory.
    const safari =
      'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
    const pageAddress = `${service.baseUrl}/s/${space.slug}`;
    for (const at of [pageAddress, pageAddress, address]) {
      const strict = await service.get(at, { headers: { 'user-agent': safari } });
      assert.equal(strict.headers['cross-origin-embedder-policy'], 'require-corp');
      assert.match(String(strict.headers.vary), /user-agent/iu);
    }
    assert.equal((await open(`/s/${space.slug}`)).headers['cross-origin-embedder-policy'], 'credentialless');
  });

  it('say why a space is not available', async () => {
    assert.equal((await open('/s/never-there')).status, 404);
    const creator = await service.creator();
    const { space } = await publishLive(service, creator);
    const { db } = service.service.platform.database;
    for (const [state, why] of [
      ['held', /<h1>Under review<.*are reviewing it/su],
      ['hidden', /<h1>Not shown<.*at the moment/su],
      ['removed', /<h1>It is not here any more<.*taken off/su],
    ] as const) {
      await db.updateTable('spaces').set({ state }).where('slug', '=', space.slug).execute();
      const page = await open(`/s/${space.slug}`);
      assert.equal(page.status, 410);
      assert.match(page.text(), why);
    }
  });

  it('show a space that was never live to its owner alone', async () => {
    const { player, persona } = await owningPlayer(service);
    const { space } = await publishFiles(persona, smallGame);
    const path = `/s/${space.slug}`;
    const own = (await player.get(path)).text();
    assert.match(own, /Nothing has been published here yet/u);
    assert.doesNotMatch(own, /Report/u);
    const other = await accountPlayer(service, 'other');
    for (const answer of [await open(path), await other.get(path)]) {
      assert.equal(answer.status, 404);
      assert.doesNotMatch(answer.text(), new RegExp(`${listing.title}|${persona.handle}`, 'u'));
    }
    await publishLive(service, persona, smallGame, { space: space.slug });
    assert.match((await open(path)).text(), new RegExp(listing.title, 'u'));
  });

  it('show an unlisted page to those who know its address, and lead from it to the claimed one', async () => {
    const files = fileEntries({ 'index.html': 'without an account' });
    const created = (
      await service.anonymous.call('POST', '/api/v1/hosting/versions', { fields: listing, files })
    ).json();
    await putFile(service, created.uploads[0].url, 'without an account');
    await service.anonymous.call('POST', `/api/v1/hosting/versions/${created.version.id}/finish`, {
      claim: created.claimToken,
    });
    const unlisted = new URL(created.pageUrl).pathname;
    const page = await open(unlisted);
    assert.match(page.text(), /noindex/u);
    assert.match(page.text(), new RegExp(`src="${created.space.url}"`, 'u'));
    assert.match(page.text(), /Claim it/u);
    const creator = await service.creator();
    await creator.call('POST', '/api/v1/hosting/versions', { files, claim: created.claimToken });
    const moved = await open(unlisted);
    assert.equal(moved.status, 303);
    const { location } = moved.headers;
    assert.match(String(location), /\/s\/moon-hopper/u);
    // An invitation with the old address still leads into the room.
    for (const query of ['?room=BCDFG', '?with=level%3D7%26by%3Dada&room=BCDFG'])
      assert.equal((await open(unlisted + query)).headers.location, `${location}${query}`);
  });

  it('describe every operation and every error', async () => {
    const text = (await open('/docs/api')).text();
    const { operations } = await import('@spaceport/contract/operations');
    for (const { id } of operations) assert.match(text, new RegExp(`id="${id}"`, 'u'));
    assert.match(text, /checks_busy/u);
    // A body that is a file and not JSON.
    assert.match(text, /<p>The file itself[^.]*<code>image\/png<\/code>, <code>image\/jpeg<\/code>/u);
    assert.match(text, /content-type: image\/png[^<]*--data-binary @FILE/u);
  });

  it('show the claim form, and refuse a submission from another site', async () => {
    const page = await open('/claim');
    assert.equal(page.status, 200);
    assert.match(page.text(), /<label for="[^"]+">Claim token<\/label>/u);
    const foreign = await service.get(`${service.baseUrl}/claim`, {
      method: 'POST',
      body: 'token=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(foreign.status, 403);
  });
});
