import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { maxContentBytes } from '@spaceport/contract/content';
import { codeOf } from '../../test/answers.ts';
import { type Made, makers } from '../../test/content.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { accountPlayer, guestPlayer, nobodyPlayer, type PlayingVisitor } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';

describe('content that players make for each other', () => {
  let service: TestService;
  let creator: Persona;
  let slug: string;
  let ada: PlayingVisitor;
  let ben: PlayingVisitor;
  before(async () => {
    service = await startService({
      environment: {
        SIGN_UPS_PER_HOUR: '1000',
        CONTENT_PER_HOUR: '40',
        CONTENT_PER_PLAYER: '30',
        CONTENT_LIKES_PER_MINUTE: '10',
      },
    });
    creator = await service.creator();
    slug = (await publishLive(service, creator)).space.slug;
    ada = await accountPlayer(service, 'ada_makes');
    ben = await accountPlayer(service, 'ben_makes');
  });
  after(() => service.close());

  const { publish, published, list, like, at } = makers(() => slug);
  const titles = async (who: PlayingVisitor, query = 'kind=level') =>
    (await list(who, query)).items.map(({ title }) => title);

  it('is published by an account, and readable by every player', async () => {
    const data = { rocks: [1, 2.5, null], name: 'Ünï «\\"» 🚀 <b>', deep: { er: true } };
    const made = await published(ada, { kind: 'level', title: 'Two craters', data });
    assert.deepEqual(
      [made.kind, made.title, made.handle, made.likes, made.liked, made.yours],
      ['level', 'Two craters', 'ada_makes', 0, false, true],
    );
    assert.deepEqual(made.data, data);
    for (const who of [ben, guestPlayer(service), nobodyPlayer(service)]) {
      const [item] = (await list(who)).items;
      assert.deepEqual(item, { ...made, yours: false });
      assert.deepEqual((await who.call('GET', at(made.id))).json(), { ...made, yours: false });
    }
    assert.deepEqual(await titles(ben, 'kind=ghost'), []);
    const elsewhere = (await publishLive(service, creator)).space.slug;
    assert.deepEqual((await list(ben, 'kind=level', elsewhere)).items, []);
    assert.deepEqual(codeOf(await ben.call('GET', at(made.id, '', elsewhere))), [404, 'not_found']);
  });

  it('needs an account with a handle', async () => {
    for (const who of [guestPlayer(service), nobodyPlayer(service)]) {
      assert.deepEqual(codeOf(await publish(who, { data: 1 })), [403, 'sign_in_required']);
      const mine = await who.call('GET', `/api/player/content?space=${slug}&kind=level&mine=true`);
      assert.deepEqual(codeOf(mine), [403, 'sign_in_required']);
      const [{ id }] = (await list(who)).items as [Made];
      assert.deepEqual(codeOf(await like(who, id)), [403, 'sign_in_required']);
      assert.deepEqual(codeOf(await like(who, id, false)), [403, 'sign_in_required']);
      assert.deepEqual(codeOf(await who.call('DELETE', at(id))), [403, 'sign_in_required']);
    }
    const nameless = await accountPlayer(service);
    assert.deepEqual(codeOf(await publish(nameless, { data: 1 })), [403, 'no_handle']);
  });

  it('is stored once, however often the request is sent', async () => {
    const what = { kind: 'drawing', title: 'A cat', data: [[1, 2]] };
    const answers = await Promise.all(Array.from({ length: 4 }, () => published(ada, what)));
    assert.equal(new Set(answers.map(({ id }) => id)).size, 1);
    const other = await published(ada, { ...what, title: 'A dog' });
    assert.notEqual(other.id, answers[0]?.id);
    assert.notEqual((await published(ben, what)).id, answers[0]?.id);
  });

  it('is refused when it is too large or invalid', async () => {
    const padded = (bytes: number) => 'x'.repeat(bytes - 2);
    const most = await published(ada, { kind: 'large', data: padded(maxContentBytes) });
    assert.equal(String(most.data).length, maxContentBytes - 2);
    const over = await publish(ada, { kind: 'large', data: padded(maxContentBytes + 1) });
    assert.deepEqual(codeOf(over), [413, 'too_large']);
    for (const body of [
      { kind: 'level' },
      { kind: 'Level', data: 1 },
      { kind: 'level', data: 1, title: 'x'.repeat(81) },
      { kind: 'level', data: 1, title: 'two\nlines' },
      { kind: 'level', data: 1, likes: 9 },
    ])
      assert.deepEqual(codeOf(await publish(ada, body)), [422, 'invalid'], JSON.stringify(body));
    const infinite = await service.get(`${service.baseUrl}/api/player/content`, {
      method: 'POST',
      headers: {
        cookie: [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      body: `{"space":"${slug}","kind":"level","data":1e999}`,
    });
    assert.deepEqual(codeOf(infinite), [422, 'invalid']);
    for (const falsy of [null, 0, '', false])
      assert.equal((await published(ada, { kind: 'falsy', data: falsy })).data, falsy);
  });

  it('is listed newest or most liked first, in pages, each item once', async () => {
    const kind = 'paged';
    const made: Made[] = [];
    for (let index = 0; index < 7; index++) {
      made.push(await published(index % 2 ? ada : ben, { kind, title: `n${index}`, data: index }));
      // Some items have the same instant.
      if (index % 2) service.clock.advance({ seconds: 1 });
    }
    const likers = await Promise.all([1, 2, 3].map(() => accountPlayer(service)));
    for (const [index, count] of [
      [2, 3],
      [5, 1],
      [0, 1],
    ] as const)
      for (const who of likers.slice(0, count)) await like(who, made[index]?.id ?? '');
    for (const [sort, first] of [
      ['new', ['n6']],
      ['liked', ['n2']],
    ] as const) {
      const read: Made[] = [];
      let cursor: string | null = '';
      let pages = 0;
      while (cursor !== null) {
        const more = cursor === '' ? '' : `&cursor=${cursor}`;
        const page = await list(ada, `kind=${kind}&sort=${sort}&limit=2${more}`);
        read.push(...page.items);
        cursor = page.next;
        pages++;
      }
      assert.equal(pages, 4);
      assert.deepEqual(
        read.map(({ title }) => title).toSorted(),
        made.map(({ title }) => title),
      );
      assert.deepEqual(
        read.slice(0, first.length).map(({ title }) => title),
        [...first],
      );
      const by = read.map((item) => (sort === 'liked' ? item.likes : Date.parse(item.created_at)));
      assert.deepEqual(
        by,
        by.toSorted((one, other) => other - one),
      );
    }
    assert.deepEqual(await titles(ada, `kind=${kind}&mine=true`), ['n5', 'n3', 'n1']);
    const wrong = await ada.call('GET', `/api/player/content?space=${slug}&kind=${kind}&cursor=nonsense`);
    assert.deepEqual(codeOf(wrong), [422, 'invalid']);
  });

  it('is listed in shorter pages when the items are large', async () => {
    const cleo = await accountPlayer(service, 'cleo_makes');
    for (let index = 0; index < 10; index++)
      await published(cleo, { kind: 'huge', data: `${index}${'x'.repeat(60_000)}` });
    const first = await list(ben, 'kind=huge');
    assert.equal(first.items.length, 8);
    const second = await list(ben, `kind=huge&cursor=${first.next}`);
    assert.deepEqual([second.items.length, second.next], [2, null]);
  });

  it('is liked once by each player, who can undo it', async () => {
    const { id } = await published(ada, { kind: 'loved', data: 1 });
    const answers = await Promise.all([like(ben, id), like(ben, id), like(ada, id)]);
    for (const answer of answers) assert.equal(answer.status, 200, answer.text());
    assert.deepEqual((await like(ben, id)).json(), { liked: true, likes: 2 });
    const shownTo = async (who: PlayingVisitor) => (await list(who, 'kind=loved')).items[0];
    assert.deepEqual([(await shownTo(ben))?.likes, (await shownTo(ben))?.liked], [2, true]);
    assert.equal((await shownTo(guestPlayer(service)))?.liked, false);
    await like(ben, (await published(ada, { kind: 'loved-too', data: 1 })).id);
    assert.deepEqual((await like(ben, id, false)).json(), { liked: false, likes: 1 });
    assert.deepEqual((await like(ben, id, false)).json(), { liked: false, likes: 1 });
    const [other] = (await list(ben, 'kind=loved-too')).items;
    assert.deepEqual([other?.likes, other?.liked], [1, true]);
    assert.deepEqual(codeOf(await like(ben, 'cnt_0000000000000000')), [404, 'not_found']);
    assert.deepEqual(codeOf(await like(ben, 'cnt_0000000000000000', false)), [404, 'not_found']);
    for (const on of [true, false])
      for (;;) {
        const answer = await like(ben, id, on);
        if (answer.status === 200) continue;
        assert.deepEqual(codeOf(answer), [429, 'rate_limited']);
        break;
      }
  });

  it('can be deleted only by the player who made it', async () => {
    const { id } = await published(ada, { kind: 'mine', data: 1 });
    await like(await accountPlayer(service), id);
    assert.deepEqual(codeOf(await ben.call('DELETE', at(id))), [404, 'not_found']);
    assert.deepEqual((await ada.call('DELETE', at(id))).json(), { deleted: true });
    assert.deepEqual(codeOf(await ada.call('DELETE', at(id))), [404, 'not_found']);
    assert.deepEqual(codeOf(await ada.call('GET', at(id))), [404, 'not_found']);
    assert.notEqual((await published(ada, { kind: 'mine', data: 1 })).id, id);
  });

  it('is limited per space and per hour', async () => {
    const dora = await accountPlayer(service, 'dora_makes');
    for (let index = 0; index < 30; index++) await published(dora, { data: index });
    const full = await publish(dora, { data: 30 });
    assert.deepEqual(codeOf(full), [409, 'too_many']);
    const elsewhere = (await publishLive(service, creator)).space.slug;
    for (let index = 30; index < 40; index++) await published(dora, { space: elsewhere, data: index });
    const tooFast = await publish(dora, { space: elsewhere, data: 40 });
    assert.deepEqual(codeOf(tooFast), [429, 'rate_limited']);
    assert.ok(Number(tooFast.headers['retry-after']) > 0);
    service.clock.advance({ hours: 1 });
    await published(dora, { space: elsewhere, data: 40 });
  });

  it('of a preview stays in the sandbox', async () => {
    const { previewUrl } = await publishFiles(creator, smallGame, { space: slug });
    const label = new URL(String(previewUrl)).host.split('.')[0] ?? '';
    const made = await published(ada, { space: label, kind: 'trial', data: 1 });
    assert.equal((await list(ben, 'kind=trial', label)).items[0]?.id, made.id);
    assert.deepEqual((await list(ben, 'kind=trial')).items, []);
    assert.deepEqual(codeOf(await ben.call('GET', at(made.id))), [404, 'not_found']);
  });

  it('is not found in unknown spaces, and unavailable in spaces that are offline', async () => {
    const calls = (space: string) =>
      [
        ada.call('GET', `/api/player/content?space=${space}&kind=level`),
        ada.call('GET', at('cnt_0000000000000000', '', space)),
        publish(ada, { space, data: 1 }),
        ada.call('DELETE', at('cnt_0000000000000000', '', space)),
        ada.call('PUT', at('cnt_0000000000000000', '/like', space)),
        ada.call('DELETE', at('cnt_0000000000000000', '/like', space)),
        ada.call('POST', '/api/player/content/cnt_0000000000000000/report', { space, reason: 'spam' }),
      ] as const;
    for (const answer of await Promise.all(calls('nowhere')))
      assert.deepEqual(codeOf(answer), [404, 'not_found']);
    const { space } = await publishLive(service, creator);
    assert.equal((await creator.call('POST', `/api/spaces/${space.slug}/offline`)).status, 200);
    for (const answer of await Promise.all(calls(space.slug)))
      assert.deepEqual(codeOf(answer), [409, 'space_unavailable']);
  });

  it('is deleted with the account that made it, with its likes', async () => {
    const who = await accountPlayer(service, 'eve_leaves');
    await published(who, { kind: 'leaving', data: 1 });
    const kept = await published(ada, { kind: 'leaving', data: 2 });
    await like(who, kept.id);
    const exported = (await who.call('GET', '/api/player/me/export')).json();
    assert.deepEqual(
      exported.content.map(({ space, kind, data }: Record<string, unknown>) => [space, kind, data]),
      [[slug, 'leaving', 1]],
    );
    assert.deepEqual(exported.likes[0].content, kept.id);
    assert.equal((await who.call('DELETE', '/api/player/me')).status, 200);
    const { items } = await list(ada, 'kind=leaving');
    assert.deepEqual([items.length, items[0]?.id, items[0]?.likes], [1, kept.id, 0]);
    const after = (await who.call('GET', '/api/player/me/export')).json();
    assert.deepEqual([after.content, after.likes], [[], []]);
  });
});
