import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { accountHeader } from '@spaceport/contract/player';
import { codeOf } from '../../test/answers.ts';
import { publishFiles, publishLive, smallGame } from '../../test/files.ts';
import { accountPlayer, guestPlayer, nobodyPlayer, type PlayingVisitor } from '../../test/played.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { visitor } from '../../test/visitor.ts';
import { withoutAccount } from '../../test/without-account.ts';

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

describe('opening a space to play it', () => {
  let service: TestService;
  let creator: Persona;
  let ada: PlayingVisitor;
  let slug: string;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '1000', SIGN_UPS_PER_HOUR: '1000' } });
    creator = await service.creator('made_it', { operator: true });
    ada = await accountPlayer(service, 'ada');
    slug = (await publishLive(service, creator)).space.slug;
  });
  after(() => service.close());

  const playsOf = async (of: string) => {
    // Cached answers for everyone may lack the plays of the last ten seconds.
    service.clock.advance({ seconds: 10 });
    return (await service.anonymous.call('GET', `/api/gallery/${of}`)).json().plays;
  };
  /** Returns the label of a new preview of the creator's space. */
  async function preview(space?: string) {
    const {
      previewUrl,
      space: made,
      version,
    } = await publishFiles(creator, smallGame, space ? { space } : {});
    return { label: new URL(previewUrl ?? '').hostname.split('.')[0] ?? '', slug: made.slug, version };
  }

  it('returns the player, the environment and the current time', async () => {
    const before = service.clock.now();
    const answer = await ada.open(slug);
    assert.equal(answer.status, 200, answer.text());
    const { session, env, player, server_time } = answer.json();
    assert.equal(env, 'live');
    assert.deepEqual([player.handle, player.guest], ['ada', false]);
    const time = Date.parse(server_time);
    assert.ok(before <= time && time <= service.clock.now());
    assert.ok(session.length < 1_000);
    const unnamed = await accountPlayer(service);
    assert.deepEqual((await unnamed.open(slug)).json().player.handle, null);
  });

  it('takes calls that name an account only while it is signed in', async () => {
    const anna = await accountPlayer(service, 'anna');
    const { session, account } = (await anna.open(slug)).json();
    const headers = { [accountHeader]: account };
    const path = `/api/player/saves/slot?space=${slug}`;
    for (const who of [ada, nobodyPlayer(service), guestPlayer(service)]) {
      assert.deepEqual(codeOf(await who.call('PUT', path, { data: 1 }, headers)), [409, 'session_over']);
      assert.deepEqual(codeOf(await who.call('GET', path, undefined, headers)), [409, 'session_over']);
      assert.deepEqual(codeOf(await who.call('GET', path)), [404, 'not_found']);
    }
    assert.equal((await anna.call('PUT', path, { data: 1 }, headers)).status, 200);
    assert.equal((await anna.post('plays', { session, part: 0, seconds: 1 }, headers)).status, 202);
    assert.equal((await anna.call('POST', '/api/account/sign-out')).status, 200);
    assert.deepEqual(codeOf(await anna.call('GET', path, undefined, headers)), [409, 'session_over']);
  });

  it('gives a player an id that is stable and unique to the space', async () => {
    const other = (await publishLive(service, creator)).space.slug;
    for (const who of [ada, guestPlayer(service)]) {
      const idIn = async (space: string) => (await who.open(space)).json().player.id;
      assert.equal(await idIn(slug), await idIn(slug));
      assert.notEqual(await idIn(slug), await idIn(other));
    }
    const nobody = nobodyPlayer(service);
    const [first, second] = [await nobody.open(slug), await nobody.open(slug)];
    assert.deepEqual([first.json().player.guest, first.json().player.handle], [true, null]);
    assert.notEqual(first.json().player.id, second.json().player.id);
  });

  it('reveals nothing of an account or a key in the sealed session', async () => {
    const guest = guestPlayer(service);
    const { db } = service.service.platform.database;
    const { id } = await db
      .selectFrom('creators')
      .select('id')
      .where('handle', '=', 'ada')
      .executeTakeFirstOrThrow();
    for (const [who, secret] of [
      [ada, id],
      [guest, guest.key],
    ] as const) {
      const [said = ''] = (await who.session(slug)).split('.');
      const read = Buffer.from(said, 'base64url').toString();
      assert.ok(JSON.parse(read).spaceId);
      assert.ok(!read.includes(secret), read);
    }
  });

  it('counts a play of a public space, and none of a preview', async () => {
    const counted = await playsOf(slug);
    const body = { space: slug, version: 1 };
    const visit = (space = slug) =>
      nobodyPlayer(service).call('POST', '/api/player/sessions', { ...body, space }, browser);
    assert.equal((await visit()).status, 200);
    assert.equal((await visit()).status, 200);
    assert.equal(await playsOf(slug), counted + 1, 'a visitor once');
    const { label } = await preview(slug);
    const looked = await nobodyPlayer(service).call(
      'POST',
      '/api/player/sessions',
      { space: label, version: 2 },
      { 'user-agent': `${browser['user-agent']} other` },
    );
    assert.deepEqual([looked.status, looked.json().env], [200, 'sandbox']);
    assert.equal(await playsOf(slug), counted + 1);
  });

  it('accepts a version that the space shows or has shown, and no other', async () => {
    const own = (await publishLive(service, creator)).space.slug;
    await publishLive(service, creator, smallGame, { space: own });
    const { label, version } = await preview(own);
    assert.equal(version.number, 3);
    for (const number of [1, 2]) assert.equal((await ada.open(own, number)).status, 200);
    for (const number of [3, 4, 2 ** 31, null]) {
      const refused = await ada.open(own, number);
      assert.deepEqual(codeOf(refused), [422, 'invalid'], String(number));
      assert.equal(refused.json().issues[0].path, 'version');
    }
    assert.equal((await ada.open(label, 3)).status, 200);
    for (const number of [2, null]) assert.deepEqual(codeOf(await ada.open(label, number)), [422, 'invalid']);
  });

  it('opens private spaces for their owner only, and unknown ones for nobody', async () => {
    const { slug: unpublished, label } = await preview();
    assert.deepEqual(codeOf(await ada.open(unpublished)), [404, 'not_found']);
    assert.equal((await ada.open(label)).status, 200, 'whoever has the link may play');
    for (const space of ['nowhere', 'p--nowhere', 'u--nowhere', `u--${slug}`])
      assert.deepEqual(codeOf(await ada.open(space)), [404, 'not_found'], space);
    service.clock.advance({ hours: 25 });
    assert.deepEqual(codeOf(await ada.open(label)), [404, 'not_found'], 'the link is over');
  });

  it('uses the sandbox for a page without an account, until the page ends', async () => {
    const { space } = await withoutAccount(() => service).published();
    for (const label of [space.slug, `u--${space.slug}`]) {
      const answer = await ada.open(label);
      assert.deepEqual([answer.status, answer.json().env], [200, 'sandbox'], label);
    }
    service.clock.advance({ days: 8 });
    for (const label of [space.slug, `u--${space.slug}`])
      assert.deepEqual(codeOf(await ada.open(label)), [404, 'not_found'], label);
  });

  it('refuses a covered space', async () => {
    const own = (await publishLive(service, creator)).space.slug;
    const { label } = await preview(own);
    const reason = { reason: 'To see what happens.' };
    const act = async (path: string, body?: object) => {
      const answer = await creator.call('POST', path, body);
      assert.equal(answer.status, 200, answer.text());
    };
    await act(`/api/operator/spaces/${own}/hold`, reason);
    for (const space of [own, label]) {
      const refused = await ada.open(space, space === own ? 1 : 2);
      assert.deepEqual(codeOf(refused), [409, 'space_unavailable'], space);
    }
    await act(`/api/operator/spaces/${own}/release`, reason);
    assert.equal((await ada.open(own)).status, 200);
    await act(`/api/spaces/${own}/offline`);
    assert.deepEqual(codeOf(await ada.open(own)), [409, 'space_unavailable']);
    assert.equal((await ada.open(label, 2)).status, 200, 'previews still work');
    assert.equal((await creator.call('DELETE', `/api/spaces/${own}`)).status, 200);
    for (const space of [own, label]) assert.deepEqual(codeOf(await ada.open(space, 2)), [404, 'not_found']);
  });

  it('works from the service’s own pages only', async () => {
    const body = { space: slug, version: 1 };
    const frame = {
      'sec-fetch-site': 'same-site',
      origin: new URL(service.service.platform.urls.live(slug)).origin,
    };
    for (const who of [ada, guestPlayer(service), nobodyPlayer(service)])
      for (const from of [frame, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }])
        assert.deepEqual(codeOf(await who.call('POST', '/api/player/sessions', body, from)), [
          403,
          'forbidden',
        ]);
    const program = await service.anonymous.call('POST', '/api/player/sessions', body);
    assert.deepEqual(codeOf(program), [403, 'forbidden']);
    const played = new URL('/api/player/sessions', service.service.platform.urls.live(slug)).href;
    const there = await service.get(played, { method: 'POST', body: JSON.stringify(body) });
    assert.ok(there.status === 405 || there.status === 404, String(there.status));
  });

  it('accepts a guest’s key, and refuses an invalid one', async () => {
    const body = { space: slug, version: 1 };
    const key = randomBytes(32).toString('base64url');
    const nobody = nobodyPlayer(service);
    for (const authorization of [
      `Guest ${key.slice(1)}`,
      `Guest ${key}A`,
      `Guest ${key.slice(1)}!`,
      'Guest',
      `Bearer ${key}`,
      `Bearer ${creator.token}`,
    ]) {
      const refused = await nobody.call('POST', '/api/player/sessions', body, { authorization });
      assert.deepEqual(codeOf(refused), [401, 'unauthorized'], authorization);
    }
    const beside = await ada.call('POST', '/api/player/sessions', body, { authorization: `Guest ${key}` });
    assert.equal(beside.json().player.guest, true, 'a key is asked for by name');
  });

  it('treats a signed-out player as a guest', async () => {
    const leaving = await accountPlayer(service, 'leaving');
    const cookies = [...leaving.cookies];
    assert.equal((await leaving.open(slug)).json().player.handle, 'leaving');
    await leaving.call('POST', '/api/account/sign-out');
    for (const [name, value] of cookies) leaving.cookies.set(name, value);
    assert.deepEqual((await leaving.open(slug)).json().player.guest, true);
  });
});

describe('the version that a space shows', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const ask = (space: string) => visitor(service).call('GET', `/api/player/version?space=${space}`);
  const shown = async (space: string) => (await ask(space)).json().version;

  it('is the live one, the one of a preview link, and the newest of an unlisted page', async () => {
    const creator = await service.creator();
    const { space } = await publishLive(service, creator);
    assert.equal(await shown(space.slug), 1);
    const { previewUrl = '' } = await publishFiles(creator, smallGame, { space: space.slug });
    const [label = ''] = new URL(previewUrl).hostname.split('.');
    assert.deepEqual([await shown(label), await shown(space.slug)], [2, 1]);
    await publishLive(service, creator, smallGame, { space: space.slug });
    assert.equal(await shown(space.slug), 3);
    const { space: unlisted } = await publishFiles({ ...creator, ...service.anonymous }, smallGame);
    assert.equal(await shown(unlisted.slug), 1);
    const url = 'https://game.example/play';
    const { database } = service.service.platform;
    await database.db
      .updateTable('spaces')
      .set({ hosted: 0, url, live_version_id: null })
      .where('slug', '=', space.slug)
      .execute();
    assert.equal(await shown(space.slug), null);
  });

  it('is refused for a space that is unknown or held', async () => {
    assert.equal((await ask('never-there')).json().error, 'not_found');
    const { space } = await publishLive(service, await service.creator());
    await service.service.platform.database.db
      .updateTable('spaces')
      .set({ state: 'held' })
      .where('slug', '=', space.slug)
      .execute();
    assert.equal((await ask(space.slug)).json().error, 'space_unavailable');
  });
});
