import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena } from '../../test/arena.ts';
import { askUntil } from '../../test/ask-until.ts';
import { accountPlayer, guestPlayer, type PlayingVisitor } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';
import { verifyRanks } from '../boards/verify-ranks.ts';

describe('a player’s own data', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    arena = await makeArena(service, [{ key: 'points', title: 'Points', unit: 'pt' }]);
    await arena.putAchievements({
      stats: [{ key: 'jumps', op: 'add' }],
      achievements: [{ key: 'jumper', title: 'Jumper', points: 5, trigger: { stat: 'jumps', atLeast: 3 } }],
    });
  });
  after(() => service.close());

  const path = (slot: string) => `/api/player/saves/${slot}?space=${arena.slug}`;
  const me = async (who: PlayingVisitor) => {
    const answer = await who.call('GET', '/api/player/me');
    assert.equal(answer.status, 200, answer.text());
    return answer.json();
  };
  let names = 0;
  /** Makes an account with one of everything, including a conflict of saves. */
  async function player() {
    const handle = `player_${++names}`;
    const who = await accountPlayer(service, handle);
    const session = await who.session(arena.slug);
    assert.equal((await who.post('scores', { session, board: 'points', score: names })).status, 200);
    assert.equal((await who.post('stats', { session, stat: 'jumps', by: 3 })).status, 200);
    assert.equal((await who.call('PUT', path('main'), { data: 'stands', device: 'A' })).status, 200);
    const lost = await who.call('PUT', path('main'), { data: 'lost', device: 'B' });
    assert.deepEqual(codeOf(lost), [409, 'conflict']);
    return { handle, who };
  }
  const publicUnlocks = (handle: string) =>
    service.anonymous.call('GET', `/api/gallery/${arena.slug}/players/${handle}`);

  it('is read in one call: spaces with time, ranks, achievements, saves and replaced saves', async () => {
    const { who } = await player();
    service.clock.advance({ minutes: 4 });
    await who.session(arena.slug);
    service.clock.advance({ minutes: 30 });
    await who.session(arena.slug);
    // Plays are recorded in parallel with the answer.
    const read = await askUntil(
      () => me(who),
      ({ played }) => !(played[0]?.seconds < 240),
    );
    const space = { slug: arena.slug, title: read.played[0].space.title };
    assert.deepEqual(read.played[0].space, space);
    assert.ok(read.played[0].seconds < 300, 'a pause of half an hour is none of it');
    assert.ok(read.played[0].first_at < read.played[0].last_at);
    assert.equal(read.public, true);
    const [score] = read.scores;
    assert.deepEqual(
      [score.space, score.board.title, score.board.unit, score.rank, score.entries],
      [space, 'Points', 'pt', 1, names],
    );
    const [achievement] = read.achievements;
    assert.deepEqual([achievement.space, achievement.title, achievement.points], [space, 'Jumper', 5]);
    assert.deepEqual([read.saves.length, read.saves[0].slot, read.saves[0].device], [1, 'main', 'A']);
    assert.deepEqual([read.losers.length, read.losers[0].slot, read.losers[0].device], [1, 'main', 'B']);
  });

  it('has replaced saves that can be restored, and the save they replace is kept', async () => {
    const { who } = await player();
    const [lost] = (await me(who)).losers;
    const of = (id: string) => `/api/player/me/losers/${id}`;
    assert.equal((await who.call('GET', of(lost.id))).json().data, 'lost');
    const other = (await player()).who;
    for (const [method, at] of [
      ['GET', of(lost.id)],
      ['POST', `${of(lost.id)}/restore`],
      ['DELETE', of(lost.id)],
    ] as const)
      assert.deepEqual(codeOf(await other.call(method, at)), [404, 'not_found'], 'another’s');
    const before = (await who.call('GET', path('main'))).json();
    const restored = await who.call('POST', `${of(lost.id)}/restore`);
    assert.equal(restored.status, 200, restored.text());
    assert.ok(restored.json().version > before.version);
    assert.equal((await who.call('GET', path('main'))).json().data, 'lost');
    const [next] = (await me(who)).losers;
    assert.equal((await who.call('GET', of(next.id))).json().data, 'stands');
    assert.deepEqual(codeOf(await who.call('POST', `${of(lost.id)}/restore`)), [404, 'not_found']);
    const match = { 'if-match': `"${restored.json().version}"` };
    assert.equal((await who.call('PUT', path('main'), { data: 'later' }, match)).status, 200);
    assert.equal((await me(who)).losers.length, 1, 'an ordinary write keeps nothing');
    assert.deepEqual((await who.call('DELETE', of(next.id))).json(), { deleted: true });
    assert.deepEqual((await me(who)).losers, []);
  });

  it('has replaced saves that are not restored when no slot is free', async () => {
    const { who } = await player();
    const { version } = (await who.call('GET', path('main'))).json();
    const gone = await who.call('DELETE', path('main'), undefined, { 'if-match': `"${version}"` });
    assert.equal(gone.status, 200);
    for (let slot = 0; slot < 16; slot++)
      assert.equal((await who.call('PUT', path(`s${slot}`), { data: slot })).status, 200);
    const [lost] = (await me(who)).losers;
    const refused = await who.call('POST', `/api/player/me/losers/${lost.id}/restore`);
    assert.deepEqual(codeOf(refused), [413, 'too_large']);
    assert.equal((await me(who)).losers.length, 1);
  });

  it('is public or hidden as the player chooses, and rankings stay', async () => {
    const { handle, who } = await player();
    assert.equal((await publicUnlocks(handle)).json().achievements.length, 1);
    const hidden = await who.call('PATCH', '/api/player/me', { public: false });
    assert.deepEqual(hidden.json(), { public: false });
    assert.deepEqual(codeOf(await publicUnlocks(handle)), [404, 'no_such_player']);
    assert.equal((await me(who)).public, false);
    const { entries } = (await arena.entries('points')).json();
    assert.ok(entries.some((entry: { handle: string }) => entry.handle === handle));
    assert.equal((await who.call('PATCH', '/api/player/me', { public: true })).status, 200);
    assert.equal((await publicUnlocks(handle)).json().achievements.length, 1);
    assert.deepEqual(codeOf(await who.call('PATCH', '/api/player/me', {})), [422, 'invalid']);
  });

  it('is shown on the player’s page without script, as far as others may see it', async () => {
    const { handle, who } = await player();
    const page = async (of = handle) => (await service.anonymous.call('GET', `/@${of}`)).text();
    const shown = await page();
    assert.match(shown, /Jumper/u);
    assert.match(shown, new RegExp(`href="/s/${arena.slug}"`, 'u'));
    assert.match(shown, /rank/u);
    for (const secret of ['stands', 'lost', 'main']) assert.ok(!shown.includes(`>${secret}<`), secret);

    assert.equal((await who.call('PATCH', '/api/player/me', { public: false })).status, 200);
    assert.doesNotMatch(await page(), /Jumper/u);
    assert.equal((await who.call('PATCH', '/api/player/me', { public: true })).status, 200);
    assert.match(await page(), /Jumper/u);

    const ban = await arena.creator.call('POST', `/api/spaces/${arena.slug}/bans`, { handle });
    assert.equal(ban.status, 200);
    assert.doesNotMatch(await page(), /Jumper/u);

    const next = await player();
    assert.match(await page(next.handle), /Jumper/u);
    const operator = await service.creator('sees_to_it', { operator: true });
    const held = await operator.call('POST', `/api/operator/spaces/${arena.slug}/hold`, { reason: 'r' });
    assert.equal(held.status, 200, held.text());
    assert.doesNotMatch(await page(next.handle), /Jumper/u);
    const released = await operator.call('POST', `/api/operator/spaces/${arena.slug}/release`, {
      reason: 'r',
    });
    assert.equal(released.status, 200, released.text());
    assert.match(await page(next.handle), /Jumper/u);
  });

  it('has hidden achievements, whose titles only the player reads', async () => {
    await arena.putAchievements({
      stats: [{ key: 'caves', op: 'add' }],
      achievements: [
        { key: 'secret', title: 'Found the cave', hidden: true, trigger: { stat: 'caves', atLeast: 1 } },
      ],
    });
    const { handle, who } = await player();
    const session = await who.session(arena.slug);
    assert.equal((await who.post('stats', { session, stat: 'caves', by: 1 })).status, 200);
    const own = (await me(who)).achievements;
    assert.ok(own.some(({ title }: { title: string }) => title === 'Found the cave'));
    const page = (await service.anonymous.call('GET', `/@${handle}`)).text();
    assert.match(page, /Jumper/u);
    assert.match(page, /Hidden achievement/u);
    assert.doesNotMatch(page, /Found the cave/u);
  });

  it('is exported as one JSON file', async () => {
    const { handle, who } = await player();
    const bytes = Buffer.from([0, 1, 255]).toString('base64');
    await who.call('PUT', path('bytes'), { base64: bytes });
    const { run } = await who.run(await who.session(arena.slug), 'points');
    const replayed = { run, board: 'points', score: 1_000, replay: bytes };
    assert.equal((await who.post('scores', replayed)).status, 200);
    const answer = await who.call('GET', '/api/player/me/export');
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.match(answer.headers['content-disposition'] ?? '', /^attachment; filename="/u);
    const file = answer.json();
    assert.equal(file.account.handle, handle);
    const of = (list: Record<string, unknown>[], ...keys: string[]) =>
      list.map((one) => keys.map((key) => one[key]));
    assert.deepEqual(of(file.scores, 'space', 'env', 'board', 'score', 'replay'), [
      [arena.slug, 'live', 'points', names, undefined],
      [arena.slug, 'live', 'points', 1_000, bytes],
    ]);
    assert.deepEqual(of(file.stats, 'stat', 'value'), [['jumps', 3]]);
    assert.deepEqual(of(file.achievements, 'achievement'), [['jumper']]);
    assert.deepEqual(of(file.saves, 'slot', 'data', 'base64'), [
      ['bytes', undefined, bytes],
      ['main', 'stands', undefined],
    ]);
    assert.deepEqual(of(file.losers, 'slot', 'data'), [['main', 'lost']]);
    // The score would stand above those of other tests.
    await who.call('DELETE', '/api/player/me');
  });

  it('is exported with every score, however many a player has', async () => {
    const { handle, who } = await player();
    const expected = [names];
    for (let call = 0; call < 6; call++) {
      const scores = Array.from({ length: 100 }, (_, index) => -1 - index - 100 * call);
      const posted = await arena.post({
        scores: scores.map((score) => ({ board: 'points', player: handle, score })),
      });
      assert.equal(posted.status, 201, posted.text());
      expected.push(...scores);
    }
    const file = (await who.call('GET', '/api/player/me/export')).json();
    assert.deepEqual(
      file.scores.map(({ score }: { score: number }) => score),
      expected,
    );
  });

  it('is deleted when the player asks for it, and the others move up', async () => {
    const [first, second] = [await player(), await player()];
    const top = async () =>
      (await arena.entries('points')).json().entries.map(({ handle }: { handle: string }) => handle);
    assert.deepEqual((await top()).slice(0, 2), [second.handle, first.handle]);
    const gone = await second.who.call('DELETE', '/api/player/me');
    assert.deepEqual(gone.json(), { deleted: true });
    assert.equal((await top())[0], first.handle);
    const { public: _, ...rest } = await me(second.who);
    assert.deepEqual(rest, { played: [], scores: [], achievements: [], made: [], saves: [], losers: [] });
    const exported = (await second.who.call('GET', '/api/player/me/export')).json();
    assert.deepEqual([exported.scores, exported.stats, exported.saves], [[], [], []]);
    assert.deepEqual((await verifyRanks(service.service.platform)).differences, []);
    assert.equal((await me(first.who)).saves.length, 1);
    const again = await second.who.session(arena.slug);
    assert.equal(
      (await second.who.post('scores', { session: again, board: 'points', score: 1 })).status,
      200,
    );
  });

  it('is refused to guests, and is not deleted by requests from other sites', async () => {
    for (const [method, at] of [
      ['GET', '/api/player/me'],
      ['GET', '/api/player/me/export'],
      ['DELETE', '/api/player/me'],
    ] as const)
      assert.deepEqual(codeOf(await guestPlayer(service).call(method, at)), [401, 'unauthorized']);
    const { who } = await player();
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    assert.deepEqual(codeOf(await who.call('DELETE', '/api/player/me', undefined, elsewhere)), [
      403,
      'forbidden',
    ]);
  });

  it('has a page, whose forms work without script', async () => {
    const { who } = await player();
    const page = async () => (await who.get('/me')).text();
    const shown = await page();
    for (const text of ['Jumper', 'Points', 'Bring back', 'Delete everything I played', 'Export'])
      assert.ok(shown.includes(text), text);
    assert.equal((await who.get('/me')).headers['cache-control'], 'no-store');
    const post = async (to: string, fields: Record<string, string>) => (await who.form(to, fields)).status;
    assert.equal(await post('/me/losers/restore', {}), 404);
    const { losers } = await me(who);
    assert.equal(await post('/me/losers/restore', { id: losers[0].id }), 303);
    const { saves, losers: next } = await me(who);
    assert.equal(await post('/me/losers/delete', { id: next[0].id }), 303);
    const [{ slot, version }] = saves;
    const fields = { space: arena.slug, slot };
    assert.equal(await post('/me/saves/delete', { ...fields, version: '1' }), 409);
    assert.equal(await post('/me/saves/delete', { ...fields, version: String(version) }), 303);
    assert.equal(await post('/me/public', { public: '0' }), 303);
    assert.equal((await me(who)).public, false);
    assert.equal(await post('/me/delete', {}), 303);
    assert.ok((await page()).includes('Nothing yet'));
    const stranger = await guestPlayer(service).get('/me');
    assert.equal(stranger.headers.location, '/sign-in?next=%2Fme');
  });

  it('says on its page when to try again', async () => {
    const who = await accountPlayer(service, `player_${++names}`);
    const remove = () => who.form('/me/saves/delete', { space: arena.slug, slot: 'main', version: '1' });
    let answer = await remove();
    for (let sent = 1; answer.status !== 429 && sent < 100; sent++) answer = await remove();
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers['retry-after']) > 0);
    assert.match(answer.text(), /Too many saves; slow down\./u);
  });
});
