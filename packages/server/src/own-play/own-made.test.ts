import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { makers } from '../../test/content.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';

describe('a player’s own content in all spaces', () => {
  let service: TestService;
  let creator: Persona;
  let slugs: string[];
  let ada: PlayingVisitor;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    creator = await service.creator();
    slugs = [];
    for (let i = 0; i < 2; i++) slugs.push((await publishLive(service, creator)).space.slug);
    ada = await accountPlayer(service, 'ada_makes');
  });
  after(() => service.close());

  const { published, like, list } = makers(() => slugs[0] ?? '');
  const of = (id: string) => `/api/player/me/content/${id}`;
  const made = async (who: PlayingVisitor): Promise<{ id: string; title: string; likes: number }[]> =>
    (await who.call('GET', '/api/player/me')).json().made;

  it('is listed over all spaces, the newest first, and read and removed one by one', async () => {
    const first = await published(ada, { title: 'Two craters', data: { rocks: [1] } });
    service.clock.advance({ minutes: 1 });
    const second = await published(ada, { space: slugs[1], kind: 'ghost', data: null });
    const ben = await accountPlayer(service, 'ben_likes');
    await like(ben, first.id);
    const preview = String((await publishFiles(creator, smallGame, { space: String(slugs[0]) })).previewUrl);
    await published(ada, { space: new URL(preview).host.split('.')[0], title: 'A trial', data: 1 });
    assert.deepEqual(
      (await made(ada)).map(({ id, title, likes }) => [id, title, likes]),
      [
        [second.id, '', 0],
        [first.id, 'Two craters', 1],
      ],
    );
    assert.deepEqual(await made(ben), []);
    const { space, bytes, data } = (await ada.call('GET', of(first.id))).json();
    assert.deepEqual([space.slug, bytes, data], [slugs[0], 13, { rocks: [1] }]);
    assert.equal((await ada.call('GET', of(second.id))).json().data, null);

    for (const method of ['GET', 'DELETE']) {
      assert.deepEqual(codeOf(await ben.call(method, of(first.id))), [404, 'not_found'], 'another’s');
      assert.deepEqual(codeOf(await guestPlayer(service).call(method, of(first.id))), [401, 'unauthorized']);
    }
    assert.deepEqual((await ada.call('DELETE', of(first.id))).json(), { deleted: true });
    assert.deepEqual(codeOf(await ada.call('DELETE', of(first.id))), [404, 'not_found']);
    assert.deepEqual(codeOf(await ada.call('GET', of(first.id))), [404, 'not_found']);
    assert.deepEqual((await list(ben)).items, []);
  });

  it('can be removed while the space is offline, and on /me without script', async () => {
    const cara = await signUp(service, { handle: 'cara_makes' });
    const [kept, gone] = [
      await published(cara, { title: '<i>Kept</i>', data: 1 }),
      await published(cara, { title: 'Goes', data: 2 }),
    ];
    const page = async () => (await cara.get('/me')).text();
    assert.ok((await page()).includes('«&lt;i>Kept&lt;/i>»'));
    const offline = await creator.call('POST', `/api/spaces/${slugs[0]}/offline`);
    assert.equal(offline.status, 200, offline.text());
    const send = (id: string) => cara.post('/me/content/remove', { id });
    assert.equal((await send(gone.id)).headers.location, '/me?done=removed');
    assert.equal((await send(gone.id)).status, 404);
    const left = await page();
    assert.ok(left.includes('Kept') && !left.includes('Goes'));
    assert.equal((await cara.call('DELETE', of(kept.id))).status, 200);
    assert.ok((await page()).includes('Nothing yet'));
  });
});
