import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { StoreUnavailable } from '../platform/blobs/blob-store.ts';
import '../../test/one-engine.ts';

describe('the cover of a space', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService();
    creator = await service.creator();
  });
  after(() => service.close());

  const picture = (background: string) =>
    sharp({ create: { width: 900, height: 900, channels: 3, background } });
  const send = (slug: string, body: Uint8Array, type: string, who = creator) =>
    service.get(`${service.baseUrl}/api/spaces/${slug}/cover`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${who.token}`, 'content-type': type },
      body,
    });
  const takeAway = (slug: string, who = creator) => who.call('DELETE', `/api/spaces/${slug}/cover`);
  const choose = (slug: string, take = 1) => creator.call('POST', `/api/spaces/${slug}/cover`, { take });
  const files = async () => (await Array.fromAsync(service.service.platform.store.list())).length;

  it('is re-encoded, and is shown wherever the space is shown', async () => {
    const { space } = await publishLive(service, creator);
    const before = await files();
    for (const [type, bytes] of [
      ['image/png', await picture('teal').png().toBuffer()],
      [
        'image/jpeg',
        await picture('navy')
          .withExif({ IFD0: { Artist: 'Somebody' } })
          .jpeg()
          .toBuffer(),
      ],
      ['image/webp', await picture('gold').webp().toBuffer()],
    ] as const) {
      const answer = await send(space.slug, bytes, type);
      assert.equal(answer.status, 200, answer.text());
      const { cover, clip } = answer.json();
      assert.deepEqual([cover.width, cover.height, clip], [1280, 720, null]);
      for (const [url, width] of [
        [cover.url, 1280],
        [cover.url.replace('.webp', '-small.webp'), 640],
      ] as const) {
        const shown = await service.get(url);
        assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/webp']);
        assert.match(String(shown.headers['content-security-policy']), /sandbox/u);
        const read = await sharp(shown.body).metadata();
        assert.deepEqual([read.format, read.width, read.exif], ['webp', width, undefined]);
      }
      // Earlier covers are deleted with their files.
      assert.equal((await files()) - before, 2);
    }
    const { cover } = (await service.anonymous.call('GET', `/api/gallery/${space.slug}`)).json();
    const page = (await service.get(`${service.baseUrl}/s/${space.slug}`)).text();
    assert.ok(page.includes(`<meta property="og:image" content="${cover.url}"/>`));

    const gone = await takeAway(space.slug);
    assert.deepEqual([gone.status, gone.json().cover], [200, null]);
    assert.equal((await service.get(cover.url)).status, 404);
    assert.equal(await files(), before);
    assert.equal((await takeAway(space.slug)).status, 200);
  });

  it('is changed although the files of the one before cannot be deleted', async (context) => {
    const { space } = await publishLive(service, creator);
    assert.equal((await send(space.slug, await picture('teal').png().toBuffer(), 'image/png')).status, 200);
    const away = () => Promise.reject(new StoreUnavailable('away'));
    context.mock.method(service.service.platform.store, 'delete', away);
    const gone = await takeAway(space.slug);
    assert.deepEqual([gone.status, gone.json().cover], [200, null]);
  });

  it('is in the page’s metadata beside the description', async () => {
    const { space } = await publishLive(service, creator);
    const changed = await creator.call('PATCH', `/api/spaces/${space.slug}`, { description: 'Hop & hop.' });
    assert.equal(changed.status, 200, changed.text());
    const page = (await service.get(`${service.baseUrl}/s/${space.slug}`)).text();
    for (const name of ['name="description"', 'property="og:description"'])
      assert.ok(page.includes(`<meta ${name} content="Hop &amp; hop."/>`), name);
  });

  it('must be a picture of a limited size', async () => {
    const { space } = await publishLive(service, creator);
    const png = await picture('teal').png().toBuffer();
    const bomb = await sharp({ create: { width: 5_200, height: 5_200, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    assert.ok(bomb.length < 4 * 1024 * 1024, `${bomb.length} bytes`);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    for (const bytes of [Buffer.from('no picture'), png.subarray(0, 100), bomb, svg]) {
      const answer = await send(space.slug, bytes, 'image/png');
      assert.deepEqual(codeOf(answer), [422, 'invalid'], answer.text());
    }
    // curl sends a form's type unless it is told otherwise.
    for (const type of ['application/x-www-form-urlencoded', 'application/json', 'image/gif', 'text/plain']) {
      const answer = await send(space.slug, png, type);
      assert.deepEqual(codeOf(answer), [422, 'invalid'], type);
      assert.match(answer.json().message, /as image\/png, image\/jpeg or image\/webp/u, type);
    }
    const large = await send(space.slug, Buffer.alloc(4 * 1024 * 1024 + 1), 'image/png');
    assert.deepEqual(codeOf(large), [413, 'too_large']);
    assert.equal((await creator.call('GET', `/api/spaces/${space.slug}`)).json().cover, null);
  });

  it('can be changed only by its owner, while the space is on the service, and at a limited rate', async () => {
    const { space } = await publishLive(service, creator);
    const png = await picture('teal').png().toBuffer();
    const other = await service.creator();
    assert.deepEqual(codeOf(await send(space.slug, png, 'image/png', other)), [404, 'not_found']);
    assert.deepEqual(codeOf(await takeAway(space.slug, other)), [404, 'not_found']);
    assert.equal((await send(space.slug, png, 'image/png')).status, 200);
    // Bytes that are no picture count too, and are quick to refuse.
    for (let count = 1; count < 20; count++)
      assert.deepEqual(codeOf(await send(space.slug, Buffer.from('no picture'), 'image/png')), [
        422,
        'invalid',
      ]);
    assert.deepEqual(codeOf(await send(space.slug, png, 'image/png')), [429, 'rate_limited']);
    assert.deepEqual(codeOf(await choose(space.slug)), [429, 'rate_limited']);

    const operator = await service.creator(undefined, { operator: true });
    for (const [action, code] of [
      ['hold', 'held'],
      ['remove', 'removed'],
    ] as const) {
      const path = `/api/operator/spaces/${space.slug}/${action}`;
      assert.equal((await operator.call('POST', path, { reason: 'r' })).status, 200);
      assert.deepEqual(codeOf(await send(space.slug, png, 'image/png')), [409, code]);
      assert.deepEqual(codeOf(await takeAway(space.slug)), [409, code]);
      assert.deepEqual(codeOf(await choose(space.slug)), [409, code]);
    }
  });
});
