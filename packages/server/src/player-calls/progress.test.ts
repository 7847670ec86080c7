import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena } from '../../test/arena.ts';
import { publishFiles, smallGame } from '../../test/files.ts';
import { accountPlayer, guestPlayer, nobodyPlayer, type PlayingVisitor } from '../../test/played.ts';
import { startService, type TestService } from '../../test/service.ts';

const declared = {
  stats: [{ key: 'jumps', op: 'add' as const }, { key: 'level' }, { key: 'best', op: 'max' as const }],
  achievements: [
    { key: 'jumper', title: 'Jumper', points: 10, trigger: { stat: 'jumps', atLeast: 3 } },
    { key: 'deep', title: 'Deep down', trigger: { stat: 'level', atLeast: 5 } },
    { key: 'secret', title: 'Found it', description: 'Behind the moon.', hidden: true, points: 5 },
  ],
};

describe('progress that players post', () => {
  let service: TestService;
  let arena: Arena;
  let ada: PlayingVisitor;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000', GUESTS_PER_HOUR: '1000' } });
    arena = await makeArena(service, [{ key: 'points' }]);
    await arena.putAchievements(declared);
    ada = await accountPlayer(service, 'ada');
  });
  after(() => service.close());

  async function stat(who: PlayingVisitor, body: object, space = arena.slug, version = 1) {
    return who.post('stats', { session: await who.session(space, version), ...body });
  }
  async function unlock(who: PlayingVisitor, key: string, space = arena.slug, version = 1) {
    return who.post('achievements', { session: await who.session(space, version), key });
  }
  async function list(who: PlayingVisitor, space = arena.slug) {
    const answer = await who.call('GET', `/api/player/achievements?space=${space}`);
    assert.equal(answer.status, 200, answer.text());
    return answer.json().achievements;
  }
  const has = async (who: PlayingVisitor, space?: string) =>
    (await list(who, space)).flatMap((one: { key: string; unlocked_at: string | null }) =>
      one.unlocked_at === null ? [] : one.key,
    );
  const counted = async (key: string) =>
    (await service.anonymous.call('GET', `/api/gallery/${arena.slug}`))
      .json()
      .achievements.find((one: { key: string }) => one.key === key).unlocks;

  it('is added, set, or the larger one kept, and unlocks the achievements that it reaches', async () => {
    const named = await accountPlayer(service, 'named');
    const unnamed = await accountPlayer(service);
    for (const who of [named, unnamed, guestPlayer(service)]) {
      const write = async (body: object) => {
        const answer = await stat(who, body);
        assert.equal(answer.status, 200, answer.text());
        return answer.json();
      };
      assert.deepEqual(await write({ stat: 'jumps', by: 2 }), { value: 2, unlocked: [] });
      assert.deepEqual(await write({ stat: 'jumps', by: 1.5 }), {
        value: 3.5,
        unlocked: [{ key: 'jumper', title: 'Jumper', points: 10, icon: null }],
      });
      assert.deepEqual(await write({ stat: 'jumps', by: 1 }), { value: 4.5, unlocked: [] });
      assert.equal((await write({ stat: 'level', value: 9 })).unlocked[0].key, 'deep');
      assert.equal((await write({ stat: 'level', value: 2 })).value, 2);
      assert.equal((await write({ stat: 'best', value: 7 })).value, 7);
      assert.equal((await write({ stat: 'best', value: 3 })).value, 7);
      assert.deepEqual(await has(who), ['jumper', 'deep']);
    }
  });

  it('is posted as `by` for stats that add up and as `value` for the others', async () => {
    for (const who of [ada, guestPlayer(service)]) {
      for (const [body, path] of [
        [{ stat: 'jumps', value: 3 }, 'value'],
        [{ stat: 'level', by: 3 }, 'by'],
        [{ stat: 'best', by: 3 }, 'by'],
        [{ stat: 'jumps' }, 'value'],
        [{ stat: 'jumps', by: 1, value: 1 }, 'value'],
        [{ stat: 'jumps', by: 2 ** 53 + 2 }, 'by'],
        [{ stat: 'jumps', by: 1, player: 'bob' }, 'player'],
      ] as const) {
        const refused = await stat(who, body);
        assert.deepEqual([...codeOf(refused), refused.json().issues[0].path], [422, 'invalid', path]);
      }
      assert.deepEqual(codeOf(await stat(who, { stat: 'nowhere', by: 1 })), [404, 'not_found']);
      await stat(who, { stat: 'jumps', by: 2 ** 53 - 10 });
      assert.deepEqual(codeOf(await stat(who, { stat: 'jumps', by: 100 })), [422, 'invalid']);
    }
  });

  it('is unlocked once, and counted for accounts alone', async () => {
    const before = await counted('secret');
    const who = await accountPlayer(service, 'finder');
    const first = await unlock(who, 'secret');
    assert.equal(first.status, 200, first.text());
    const { unlocked_at, ...said } = first.json();
    assert.deepEqual(said, {
      first: true,
      achievement: { key: 'secret', title: 'Found it', points: 5, icon: null },
    });
    service.clock.advance({ days: 1 });
    assert.deepEqual((await unlock(who, 'secret')).json(), { ...first.json(), first: false });
    const guest = guestPlayer(service);
    assert.equal((await unlock(guest, 'secret')).json().first, true);
    assert.equal((await unlock(guest, 'secret')).json().first, false);
    assert.equal(await counted('secret'), before + 1);
    for (const one of [who, guest])
      assert.deepEqual(codeOf(await unlock(one, 'nowhere')), [404, 'not_found']);
    assert.ok(Date.parse(unlocked_at));
  });

  it('is listed with its time, and a hidden achievement shows nothing before it is unlocked', async () => {
    const who = guestPlayer(service);
    const hidden = { key: 'secret', title: null, description: null, icon: null };
    const [first, , last] = await list(who);
    assert.deepEqual(first, {
      key: 'jumper',
      title: 'Jumper',
      description: '',
      icon: null,
      hidden: false,
      points: 10,
      unlocked_at: null,
    });
    assert.deepEqual(last, { ...hidden, hidden: true, points: 5, unlocked_at: null });
    await unlock(who, 'secret');
    const found = (await list(who))[2];
    assert.deepEqual([found.title, found.description], ['Found it', 'Behind the moon.']);
    assert.ok(found.unlocked_at);
    assert.deepEqual(await has(nobodyPlayer(service)), []);
    assert.deepEqual(await has(guestPlayer(service)), []);
    const there = await who.call('GET', '/api/player/achievements?space=nowhere');
    assert.deepEqual(codeOf(there), [404, 'not_found']);
  });

  it('of a preview stays in the sandbox', async () => {
    const { previewUrl } = await publishFiles(arena.creator, smallGame, { space: arena.slug, ...declared });
    const label = new URL(previewUrl ?? '').hostname.split('.')[0] ?? '';
    for (const who of [await accountPlayer(service, 'trier'), guestPlayer(service)]) {
      assert.equal((await stat(who, { stat: 'jumps', by: 5 }, label, 2)).json().value, 5);
      assert.equal((await unlock(who, 'secret', label, 2)).json().first, true);
      assert.deepEqual(await has(who, label), ['jumper', 'secret']);
      assert.deepEqual(await has(who), []);
    }
  });

  it('is refused without a session, with another’s session, after a ban, and in a covered space', async () => {
    const nobody = nobodyPlayer(service);
    assert.deepEqual(codeOf(await stat(nobody, { stat: 'jumps', by: 1 })), [403, 'sign_in_required']);
    assert.deepEqual(codeOf(await unlock(nobody, 'secret')), [403, 'sign_in_required']);
    const session = await ada.session(arena.slug);
    const guest = guestPlayer(service);
    for (const [what, body] of [
      ['stats', { session, stat: 'jumps', by: 1 }],
      ['achievements', { session, key: 'secret' }],
    ] as const) {
      assert.deepEqual(codeOf(await guest.post(what, body)), [409, 'session_over']);
      const frame = { 'sec-fetch-site': 'same-site', origin: 'http://x.play.localhost' };
      assert.deepEqual(codeOf(await ada.post(what, body, frame)), [403, 'forbidden']);
    }
    const ban = (method: string) =>
      arena.creator.call(method, `/api/spaces/${arena.slug}/bans`, { handle: 'ada' });
    await ban('POST');
    for (const refused of [await stat(ada, { stat: 'jumps', by: 1 }), await unlock(ada, 'secret')]) {
      assert.deepEqual(codeOf(refused), [403, 'banned']);
      assert.equal(refused.json().message, 'You are banned from this space.');
    }
    await ban('DELETE');
    const own = await makeArena(service, []);
    await own.putAchievements(declared);
    const there = await ada.session(own.slug);
    assert.equal((await own.creator.call('POST', `/api/spaces/${own.slug}/offline`)).status, 200);
    const off = [
      await ada.post('stats', { session: there, stat: 'jumps', by: 1 }),
      await ada.post('achievements', { session: there, key: 'secret' }),
      await ada.call('GET', `/api/player/achievements?space=${own.slug}`),
      await ada.call('GET', `/api/player/scores?space=${own.slug}&board=points`),
    ];
    for (const answer of off) assert.deepEqual(codeOf(answer), [409, 'space_unavailable']);
  });

  it('with an idempotency key is written once, also when many come at once', async () => {
    for (const who of [await accountPlayer(service, 'keyed'), guestPlayer(service)]) {
      const session = await who.session(arena.slug);
      const key = { 'idempotency-key': 'once' };
      const body = { session, stat: 'jumps', by: 1 };
      const answers = await Promise.all(Array.from({ length: 10 }, () => who.post('stats', body, key)));
      assert.deepEqual(new Set(answers.map((answer) => answer.text())).size, 1);
      assert.deepEqual(codeOf(await who.post('stats', { ...body, by: 2 }, key)), [409, 'conflict']);
      assert.deepEqual(codeOf(await who.post('achievements', { session, key: 'secret' }, key)), [
        409,
        'conflict',
      ]);
      assert.equal((await who.post('stats', body)).json().value, 2);
      const all = await Promise.all(Array.from({ length: 20 }, () => who.post('stats', body)));
      assert.deepEqual(
        all.map((answer) => answer.json().value).toSorted((one, other) => one - other),
        Array.from({ length: 20 }, (_, index) => index + 3),
      );
      const unlocks = await Promise.all(
        Array.from({ length: 10 }, () => who.post('achievements', { session, key: 'secret' })),
      );
      assert.equal(unlocks.filter((answer) => answer.json().first).length, 1);
    }
  });

  it('has one limit for stats and unlocks together', async () => {
    const own = await startService({ environment: { PLAY_STATS_PER_MINUTE: '2' } });
    try {
      const there = await makeArena(own, []);
      await there.putAchievements(declared);
      const who = guestPlayer(own);
      const session = await who.session(there.slug);
      assert.equal((await who.post('stats', { session, stat: 'jumps', by: 1 })).status, 200);
      assert.equal((await who.post('achievements', { session, key: 'secret' })).status, 200);
      assert.deepEqual(codeOf(await who.post('stats', { session, stat: 'jumps', by: 1 })), [
        429,
        'rate_limited',
      ]);
      assert.deepEqual(codeOf(await who.post('achievements', { session, key: 'secret' })), [
        429,
        'rate_limited',
      ]);
      own.clock.advance({ minutes: 1 });
      assert.equal((await who.post('stats', { session, stat: 'jumps', by: 1 })).status, 200);
    } finally {
      await own.close();
    }
  });
});

describe('a ranking that a player reads', () => {
  let service: TestService;
  let arena: Arena;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    arena = await makeArena(service, [{ key: 'points', periods: ['all', 'day'] }]);
  });
  after(() => service.close());

  it('marks the player’s own entry, and shows the entries around it', async () => {
    const players = await Promise.all(
      Array.from({ length: 9 }, (_, index) => accountPlayer(service, `rank_${index}`)),
    );
    for (const [index, who] of players.entries()) {
      const session = await who.session(arena.slug);
      await who.post('scores', { session, board: 'points', score: 100 - index });
    }
    const read = async (who: PlayingVisitor, query = '') => {
      const path = `/api/player/scores?space=${arena.slug}&board=points${query}`;
      const answer = await who.call('GET', path);
      assert.equal(answer.status, 200, answer.text());
      return answer.json();
    };
    const [first, , , , middle] = players;
    assert.ok(first && middle);
    const top = await read(first, '&limit=2');
    assert.deepEqual([top.total, typeof top.next], [9, 'string']);
    assert.deepEqual(Object.keys(top.entries[0]).toSorted(), [
      'handle',
      'rank',
      'score',
      'submitted_at',
      'you',
    ]);
    assert.deepEqual(
      top.entries.map(({ you }: { you: boolean }) => you),
      [true, false],
    );
    const rest = await read(middle, `&limit=2&cursor=${top.next}`);
    assert.equal(rest.entries[0].rank, 3);
    const handles = (page: { entries: { handle: string; you: boolean }[] }) =>
      page.entries.map(({ handle, you }) => (you ? `${handle}!` : handle));
    assert.deepEqual(handles(await read(middle, '&around=me&limit=3')), ['rank_3', 'rank_4!', 'rank_5']);
    assert.deepEqual(handles(await read(middle, '&around=rank_1&limit=3&period=day')), [
      'rank_0',
      'rank_1',
      'rank_2',
    ]);
    for (const who of [guestPlayer(service), nobodyPlayer(service), await accountPlayer(service, 'no_score')])
      assert.deepEqual(handles(await read(who, '&around=me&limit=1')), ['rank_0']);
    const wrong = async (query: string) =>
      codeOf(await middle.call('GET', `/api/player/scores?space=${arena.slug}&${query}`));
    assert.deepEqual(await wrong('board=points&around=no_score'), [404, 'no_such_player']);
    assert.deepEqual(await wrong('board=nowhere'), [404, 'not_found']);
    assert.deepEqual(await wrong('board=points&period=month'), [422, 'invalid']);
    assert.deepEqual(await wrong('board=points&limit=1000'), [422, 'invalid']);
    assert.deepEqual(codeOf(await middle.call('GET', '/api/player/scores?space=nowhere&board=points')), [
      404,
      'not_found',
    ]);
  });
});
