import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { makers } from '../../test/content.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { someoneWaits, withoutLockWaits } from '../../test/lock-waits.ts';
import { accountPlayer, guestPlayer, nobodyPlayer, type PlayingVisitor } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';

describe('moderating content that players made', () => {
  let service: TestService;
  let operator: Persona;
  let creator: Persona;
  let slug: string;
  let ada: PlayingVisitor;
  let ben: PlayingVisitor;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000', REPORTS_PER_HOUR: '8' } });
    operator = await service.creator('ops', { operator: true });
    creator = await service.creator();
    slug = (await publishLive(service, creator)).space.slug;
    ada = await accountPlayer(service, 'ada_makes');
    ben = await accountPlayer(service, 'ben_makes');
  });
  after(() => service.close());

  const { published, publish, list, like, report, at } = makers(() => slug);
  const own = async (query = '', who: Pick<Persona, 'call'> = creator) => {
    const answer = await who.call('GET', `/api/spaces/${slug}/content?${query}`);
    assert.equal(answer.status, 200, answer.text());
    return answer.json();
  };
  const ownItem = (id: string) => `/api/spaces/${slug}/content/${id}`;
  const bans = (method: string, handle: string) =>
    creator.call(method, `/api/spaces/${slug}/bans`, { handle });
  const reports = async () =>
    (await operator.call('GET', '/api/operator/reports?state=open&limit=100')).json().reports;
  const decide = (id: string, action: string) =>
    operator.call('POST', `/api/operator/reports/${id}`, { action, note: `noted: ${action}` });

  it('lets the creator of the space list it, with sizes, and delete it', async () => {
    const { id } = await published(ada, { kind: 'level', title: 'Two craters', data: { rocks: 2 } });
    service.clock.advance({ seconds: 1 });
    await published(ben, { kind: 'ghost', data: 1 });
    const [ghost, level] = (await own()).items;
    assert.deepEqual([ghost.kind, ghost.handle], ['ghost', 'ben_makes']);
    const { created_at, ...rest } = level;
    assert.ok(created_at);
    assert.deepEqual(rest, {
      id,
      kind: 'level',
      title: 'Two craters',
      handle: 'ada_makes',
      likes: 0,
      bytes: 11,
      banned: false,
      reports: 0,
    });
    assert.deepEqual((await creator.call('GET', ownItem(id))).json(), { ...level, data: { rocks: 2 } });
    const first = await own('limit=1');
    const second = await own(`limit=1&cursor=${first.next}`);
    assert.deepEqual([first.items[0].id, second.items[0].id, second.next], [ghost.id, id, null]);
    assert.deepEqual((await own('kind=level')).items.length, 1);
    assert.deepEqual((await creator.call('DELETE', ownItem(id))).json(), { deleted: true });
    assert.deepEqual(codeOf(await creator.call('DELETE', ownItem(id))), [404, 'not_found']);
    assert.deepEqual(codeOf(await creator.call('GET', ownItem(id))), [404, 'not_found']);
    assert.deepEqual((await list(ben)).items, []);
  });

  it('is possible for nobody but the creator', async () => {
    const { id } = await published(ada, { kind: 'guarded', data: 1 });
    const stranger = await service.creator();
    const theirs = (await publishLive(service, stranger)).space.slug;
    for (const answer of [
      await stranger.call('GET', `/api/spaces/${slug}/content`),
      await stranger.call('GET', ownItem(id)),
      await stranger.call('DELETE', ownItem(id)),
      await stranger.call('DELETE', `/api/spaces/${theirs}/content/${id}`),
    ])
      assert.deepEqual(codeOf(answer), [404, 'not_found']);
    assert.deepEqual(codeOf(await service.anonymous.call('GET', ownItem(id))), [401, 'unauthorized']);
    assert.equal((await list(ben, 'kind=guarded')).items.length, 1);
  });

  it('hides content of a banned player from others until the ban is lifted', async () => {
    const cleo = await accountPlayer(service, 'cleo_makes');
    const { id } = await published(cleo, { kind: 'banned', data: 1 });
    service.clock.advance({ seconds: 1 });
    const liked = await published(ada, { kind: 'banned', data: 2 });
    for (const who of [cleo, ben]) await like(who, liked.id);
    const space = (await publishLive(service, creator)).space.slug;
    const elsewhere = await published(ada, { space, kind: 'banned', data: 3 });
    assert.equal((await cleo.call('PUT', at(elsewhere.id, '/like', space))).status, 200);
    assert.equal((await bans('POST', 'cleo_makes')).status, 200);
    const seen = (await list(ben, 'kind=banned')).items;
    assert.deepEqual([seen.length, seen[0]?.id, seen[0]?.likes, seen[0]?.liked], [1, liked.id, 1, true]);
    const [other] = (await list(cleo, 'kind=banned', space)).items;
    assert.deepEqual([other?.likes, other?.liked], [1, true]);
    assert.deepEqual(codeOf(await ben.call('GET', at(id))), [404, 'not_found']);
    assert.deepEqual(codeOf(await like(ben, id)), [404, 'not_found']);
    assert.deepEqual(codeOf(await report(ben, id)), [404, 'not_found']);
    assert.equal((await own('kind=banned')).items[1].banned, true);
    assert.deepEqual(codeOf(await publish(cleo, { kind: 'banned', data: 3 })), [403, 'banned']);
    assert.deepEqual(codeOf(await like(cleo, liked.id)), [403, 'banned']);
    assert.equal((await like(cleo, liked.id, false)).status, 200);
    // Banned players still find their own items, and may delete them.
    assert.equal((await list(cleo, 'kind=banned&mine=true')).items[0]?.id, id);
    assert.equal((await bans('DELETE', 'cleo_makes')).status, 200);
    assert.deepEqual((await list(ben, 'kind=banned')).items.length, 2);
    const platform = await operator.call('POST', '/api/operator/accounts/cleo_makes/ban', { reason: 'spam' });
    assert.equal(platform.status, 200, platform.text());
    assert.deepEqual((await list(ben, 'kind=banned')).items.length, 1);
    await operator.call('POST', '/api/operator/accounts/cleo_makes/unban', { reason: 'none' });
    assert.deepEqual((await list(ben, 'kind=banned')).items.length, 2);
  });

  it('counts a like that the player gives during the ban as often as it is there', {
    skip: withoutLockWaits,
  }, async () => {
    const dora = await accountPlayer(service, 'dora_likes');
    const [first, second] = [
      await published(ada, { kind: 'counted', data: 1 }),
      await published(ada, { kind: 'counted', data: 2 }),
    ];
    await like(dora, first.id);
    const { database } = service.service.platform;
    const { banning } = await database.transaction(async (tx) => {
      await tx.db
        .selectFrom('content')
        .select('id')
        .where('id', '=', givenId('cnt', first.id))
        .forUpdate()
        .execute();
      const answer = bans('POST', 'dora_likes');
      await someoneWaits(database.db);
      assert.equal((await like(dora, second.id)).status, 200);
      return { banning: answer };
    });
    assert.equal((await banning).status, 200);
    assert.equal((await like(dora, second.id, false)).status, 200);
    const seen = (await list(ben, 'kind=counted')).items;
    assert.deepEqual(
      seen.map(({ likes }) => likes),
      [0, 0],
    );
  });

  for (const on of [true, false])
    it(`deletes an item while a player ${on ? 'likes it' : 'withdraws a like'}`, {
      skip: withoutLockWaits,
    }, async () => {
      const { id } = await published(ada, { kind: 'raced', data: { on } });
      if (!on) await like(ben, id);
      const { database } = service.service.platform;
      const { liking } = await database.transaction(async (tx) => {
        await tx.db.deleteFrom('content').where('id', '=', givenId('cnt', id)).execute();
        const answer = like(ben, id, on);
        await someoneWaits(database.db);
        return { liking: answer };
      });
      assert.deepEqual(codeOf(await liking), [404, 'not_found']);
    });

  it('lets an operator delete reported content, which closes every report of it', async () => {
    const { id } = await published(ada, { kind: 'bad', title: '<b>Rude</b>', data: { says: 'rude' } });
    for (const who of [ben, guestPlayer(service), nobodyPlayer(service)]) {
      const sent = await report(who, id, { message: 'It is rude.' });
      assert.equal(sent.status, 202, sent.text());
    }
    assert.deepEqual(codeOf(await report(ben, 'cnt_0000000000000000')), [404, 'not_found']);
    const [item] = (await own('reported=true')).items;
    assert.deepEqual([item.id, item.reports], [id, 3]);
    const open = await reports();
    assert.equal(open.length, 3);
    assert.deepEqual(open[0].content, { id, kind: 'bad', title: '<b>Rude</b>', handle: 'ada_makes' });
    const whole = (await operator.call('GET', `/api/operator/reports/${open[0].id}`)).json();
    assert.deepEqual(whole.content_data, { says: 'rude' });
    service.clock.advance({ seconds: 1 });
    const decided = await decide(open[0].id, 'remove_content');
    assert.equal(decided.status, 200, decided.text());
    assert.deepEqual(decided.json().content, { id, kind: null, title: null, handle: null });
    assert.deepEqual([await reports(), (await list(ben, 'kind=bad')).items], [[], []]);
    const gone = (await operator.call('GET', `/api/operator/reports/${open[0].id}`)).json();
    assert.equal(gone.content_data, null);
    assert.equal(gone.history[0].what, 'remove_content');
    assert.equal(
      (await operator.call('GET', `/api/operator/spaces?q=${slug}`)).json().spaces[0].state,
      'listed',
    );
    const audit = (await operator.call('GET', '/api/operator/audit?limit=100')).json().entries;
    assert.deepEqual(
      audit
        .slice(0, 4)
        .map(({ action }: { action: string }) => action)
        .toSorted(),
      ['remove_content', 'resolve', 'resolve', 'resolve'],
    );
  });

  it('does not delete content for a report of the space or for a dismissed report', async () => {
    const { id } = await published(ada, { kind: 'fine', data: 1 });
    const ofSpace = await service.anonymous.call('POST', `/api/gallery/${slug}/report`, { reason: 'spam' });
    assert.equal(ofSpace.status, 202, ofSpace.text());
    const [about] = await reports();
    assert.equal(about.content, null);
    assert.deepEqual(codeOf(await decide(about.id, 'remove_content')), [409, 'conflict']);
    await decide(about.id, 'dismiss');
    await report(ben, id);
    await decide((await reports())[0].id, 'dismiss');
    assert.equal((await list(ben, 'kind=fine')).items.length, 1);
    assert.deepEqual((await own('reported=true')).items, []);
    // A report about content that its maker deleted is resolved all the same.
    await report(ben, id);
    assert.equal((await ada.call('DELETE', at(id))).status, 200);
    const [late] = await reports();
    assert.equal((await decide(late.id, 'remove_content')).status, 200);
  });

  it('limits the reports from one network', async () => {
    const { id } = await published(ada, { kind: 'often', data: 1 });
    for (;;) {
      const answer = await report(ben, id);
      if (answer.status === 202) continue;
      assert.deepEqual(codeOf(answer), [429, 'rate_limited']);
      break;
    }
    for (const { id: open } of await reports()) await decide(open, 'dismiss');
  });

  it('lists sandbox content, and a reset deletes all of it or one player’s', async () => {
    const { previewUrl } = await publishFiles(creator, smallGame, { space: slug });
    const space = new URL(String(previewUrl)).host.split('.')[0] ?? '';
    const live = await published(ada, { kind: 'trial', data: 0 });
    const mine = await published(ada, { space, kind: 'trial', data: 1 });
    await published(ben, { space, kind: 'trial', data: 2 });
    const liked = await ben.call('PUT', at(mine.id, '/like', space));
    assert.deepEqual(liked.json(), { liked: true, likes: 1 });
    assert.deepEqual((await own('kind=trial&sandbox=true')).items.length, 2);
    const reset = async (body: object) =>
      (await creator.call('POST', `/api/v1/hosting/spaces/${slug}/reset`, body)).json().deleted;
    assert.deepEqual(await reset({ categories: ['content'], player: 'ben_makes' }), { content: 1 });
    const [left] = (await list(ada, 'kind=trial', space)).items;
    assert.deepEqual([left?.id, left?.likes], [mine.id, 0]);
    assert.deepEqual(await reset({ categories: ['content'] }), { content: 1 });
    assert.deepEqual((await list(ada, 'kind=trial', space)).items, []);
    assert.equal((await list(ben, 'kind=trial')).items[0]?.id, live.id);
  });
});
