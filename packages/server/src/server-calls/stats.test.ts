import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import type { RawAnswer } from '../../test/raw-http.ts';
import { startService, type TestService } from '../../test/service.ts';

const declared = {
  stats: [{ key: 'level' }, { key: 'jumps', op: 'add' as const }, { key: 'best', op: 'max' as const }],
  achievements: [
    { key: 'jumper', trigger: { stat: 'jumps', atLeast: 3 } },
    { key: 'leaper', trigger: { stat: 'jumps', atLeast: 10 } },
    { key: 'cold', trigger: { stat: 'level', atLeast: -10 } },
    { key: 'founder' },
  ],
};

describe('POST /api/v1/stats', () => {
  let service: TestService;
  let arena: Arena;
  const players: string[] = [];
  before(async () => {
    service = await startService({ environment: { PLAYER_SCORES_PER_MINUTE: '100000' } });
    arena = await makeArena(service, []);
    await arena.putAchievements(declared);
    players.push(...(await makePlayers(service, 60)));
  });
  after(() => service.close());

  /** Returns a player without any progress. */
  const someone = () => players.pop() ?? '';
  const post = (body: unknown, headers?: Record<string, string>) =>
    arena.call('POST', '/api/v1/stats', body, headers);
  async function write(stat: string, player: string, value: number, more: object = {}) {
    const answer = await post({ stat, player, value, ...more });
    assert.equal(answer.status, 200, answer.text());
    return answer.json() as { stat: string; player: string; value: number; unlocked: string[] };
  }
  const db = () => service.service.platform.database.db;
  const rows = async () => [
    await db().selectFrom('player_stats').selectAll().orderBy('player_id').orderBy('key').execute(),
    await db().selectFrom('unlocks').selectAll().orderBy('player_id').orderBy('key').execute(),
  ];
  const has = async (handle: string) => {
    const path = `/api/gallery/${arena.slug}/players/${handle}`;
    const { achievements } = (await service.anonymous.call('GET', path)).json();
    return achievements.map(({ key }: { key: string }) => key).toSorted() as string[];
  };

  it('sets, adds, or keeps the larger value, as the stat says', async () => {
    const ann = someone();
    assert.deepEqual(await write('level', ann, -20), {
      stat: 'level',
      player: ann,
      value: -20,
      unlocked: [],
    });
    const after = async (stat: string, values: number[]) => {
      const answers = [];
      for (const value of values) answers.push((await write(stat, ann, value)).value);
      return answers;
    };
    assert.deepEqual(await after('level', [5, 2.5, -0]), [5, 2.5, 0]);
    assert.deepEqual(await after('jumps', [0.1, 0.2, -1]), [0.1, 0.1 + 0.2, 0.1 + 0.2 - 1]);
    assert.deepEqual(await after('best', [-3, -7, 4, 1]), [-3, -3, 4, 4]);
  });

  it('accepts many at once, of one or of several players, in their order', async () => {
    const [ann, bob] = [someone(), someone()];
    const stats = [
      { stat: 'jumps', player: ann, value: 2 },
      { stat: 'jumps', player: bob, value: 2 },
      { stat: 'jumps', player: `@${ann.toUpperCase()}`, value: 2 },
      { stat: 'best', player: ann, value: 1 },
      { stat: 'jumps', player: ann, value: 7 },
    ];
    const answer = await post({ stats });
    assert.equal(answer.status, 200, answer.text());
    assert.deepEqual(answer.json(), {
      results: [
        { stat: 'jumps', player: ann, value: 2, unlocked: [] },
        { stat: 'jumps', player: bob, value: 2, unlocked: [] },
        { stat: 'jumps', player: ann, value: 4, unlocked: ['jumper'] },
        { stat: 'best', player: ann, value: 1, unlocked: [] },
        { stat: 'jumps', player: ann, value: 11, unlocked: ['leaper'] },
      ],
    });
    assert.equal((await write('jumps', bob, 0)).value, 2);
  });

  it('accepts all of a batch, or none of it', async () => {
    const ann = someone();
    await write('best', ann, 2 ** 53);
    const before = await rows();
    const good = { stat: 'jumps', player: ann, value: 5 };
    for (const [bad, code, path] of [
      [{ stat: 'nowhere', player: ann, value: 1 }, 'not_found', undefined],
      [{ stat: 'jumps', player: 'nobody_at_all', value: 1 }, 'no_such_player', undefined],
      [{ stat: 'jumps', player: ann, value: 2 ** 53 }, 'invalid', 'stats.2.value'],
      [{ stat: 'jumps', player: ann, value: 2 ** 53 + 2 }, 'invalid', 'stats.2.value'],
      [{ stat: 'jumps', player_token: 'x', value: 1 }, 'invalid', 'stats.2.player_token'],
      [{ stat: 'jumps', player: ann, value: 1, extra: 1 }, 'invalid', 'stats.2.extra'],
      [{ stat: 'jumps', value: 1 }, 'invalid', 'stats.2.player'],
    ] as const) {
      const refused = await post({ stats: [good, good, bad] });
      assert.equal(refused.json().error, code, refused.text());
      assert.equal(refused.json().issues?.[0].path, path, refused.text());
    }
    assert.deepEqual(await rows(), before);
  });

  it('refuses values beyond ±2^53', async () => {
    const ann = someone();
    const limit = 2 ** 53;
    for (const stat of ['level', 'best']) assert.equal((await write(stat, ann, limit)).value, limit);
    assert.equal((await write('level', ann, -limit)).value, -limit);
    assert.equal((await write('jumps', ann, limit)).value, limit);
    const over = await post({ stat: 'jumps', player: ann, value: 2 });
    assert.deepEqual(codeOf(over), [422, 'invalid']);
    assert.equal(over.json().issues[0].path, 'value');
    assert.equal((await write('jumps', ann, -1)).value, limit - 1);
  });

  it('refuses an invalid stat, with the wrong field named', async () => {
    const good = { stat: 'jumps', player: someone(), value: 1 };
    const cases: [unknown, string][] = [
      [{ ...good, value: '1' }, 'value'],
      [{ ...good, value: undefined }, 'value'],
      [{ ...good, value: 2 ** 53 + 2 }, 'value'],
      [JSON.stringify(good).replace(':1}', ':1e999}'), 'value'],
      [{ ...good, stat: 'No Key' }, 'stat'],
      [{ ...good, player: undefined }, 'player'],
      [{ ...good, player_token: 'x' }, 'player'],
      [{ ...good, meta: {} }, 'meta'],
      [{ stats: [] }, 'stats'],
      [{ stats: Array.from({ length: 101 }, () => good) }, 'stats'],
      ['{', ''],
    ];
    for (const [body, path] of cases) {
      const refused = await post(body);
      assert.deepEqual(codeOf(refused), [422, 'invalid'], JSON.stringify(body));
      assert.equal(refused.json().issues[0].path, path, refused.text());
    }
    assert.deepEqual(codeOf(await post({ ...good, stat: 'nowhere' })), [404, 'not_found']);
    assert.deepEqual(codeOf(await post({ ...good, player: 'nobody_at_all' })), [404, 'no_such_player']);
    assert.equal((await post({ stats: Array.from({ length: 100 }, () => good) })).status, 200);
  });

  it('accepts a player token instead of a handle', async () => {
    const [one, other] = [await service.creator(), await service.creator()];
    const tokenOf = async (who: typeof one, sandbox: boolean) =>
      (await who.client.issuePlayerToken({ body: { space: arena.slug, sandbox } })).token;
    const stats = [
      { stat: 'jumps', player_token: await tokenOf(one, false), value: 3 },
      { stat: 'jumps', player: other.handle, value: 1 },
      { stat: 'jumps', player_token: await tokenOf(other, false), value: 1 },
      { stat: 'jumps', player_token: await tokenOf(one, true), value: 8, sandbox: true },
    ];
    const answer = await post({ stats });
    assert.equal(answer.status, 200, answer.text());
    assert.deepEqual(
      answer.json().results.map(({ player, value }: Record<string, unknown>) => [player, value]),
      [
        [one.handle, 3],
        [other.handle, 1],
        [other.handle, 2],
        [one.handle, 8],
      ],
    );
    const wrong = await post({ stats: [stats[0], { ...stats[2], sandbox: true }] });
    assert.deepEqual(codeOf(wrong), [422, 'invalid']);
    assert.equal(wrong.json().issues[0].path, 'stats.1.player_token');
  });

  it('keeps the sandbox separate from live data', async () => {
    const ann = someone();
    assert.deepEqual((await write('jumps', ann, 5, { sandbox: true })).unlocked, ['jumper']);
    assert.deepEqual(await has(ann), []);
    assert.deepEqual(await write('jumps', ann, 4), {
      stat: 'jumps',
      player: ann,
      value: 4,
      unlocked: ['jumper'],
    });
    const { value, unlocked } = await write('jumps', ann, 5, { sandbox: true });
    assert.deepEqual([value, unlocked], [10, ['leaper']]);
    assert.deepEqual(await has(ann), ['jumper']);
  });

  it('refuses a player who is banned from the space, until the ban is lifted', async () => {
    const [ann, bob] = [someone(), someone()];
    await write('jumps', ann, 1);
    const ban = (method: string) =>
      arena.creator.call(method, `/api/spaces/${arena.slug}/bans`, { handle: ann });
    assert.equal((await ban('POST')).status, 200);
    const good = { stat: 'jumps', player: bob, value: 1 };
    for (const extra of [{}, { sandbox: true }]) {
      const refused = await post({ ...good, player: ann, ...extra });
      assert.deepEqual(codeOf(refused), [403, 'banned']);
      assert.deepEqual(codeOf(await post({ stats: [good, { ...good, player: ann, ...extra }] })), [
        403,
        'banned',
      ]);
    }
    assert.equal((await write('jumps', bob, 1)).value, 1);
    assert.equal((await ban('DELETE')).status, 200);
    assert.equal((await write('jumps', ann, 1)).value, 2);
  });

  it('runs a call with an Idempotency-Key once', async () => {
    const ann = someone();
    const body = { stat: 'jumps', player: ann, value: 3 };
    const key = { 'idempotency-key': 'stats-1' };
    const first = await post(body, key);
    assert.deepEqual(first.json().unlocked, ['jumper']);
    const again = await post(body, key);
    assert.deepEqual([again.status, again.text()], [200, first.text()]);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal((await write('jumps', ann, 0)).value, 3);
    assert.deepEqual(codeOf(await post({ ...body, value: 4 }, key)), [409, 'conflict']);
    const elsewhere = await arena.call(
      'POST',
      '/api/v1/achievements',
      { achievement: 'founder', player: ann },
      key,
    );
    assert.deepEqual(codeOf(elsewhere), [409, 'conflict'], 'a key is of one operation');
    const refused = { 'idempotency-key': 'stats-2' };
    assert.deepEqual(codeOf(await post({ ...body, stat: 'nowhere' }, refused)), [404, 'not_found']);
    assert.equal((await post(body, refused)).headers['idempotent-replayed'], undefined);
  });

  it('adds up exactly when many calls come at once, and unlocks once', async () => {
    const [ann, bob] = [someone(), someone()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => write('jumps', index % 5 === 4 ? bob : ann, 1)),
    );
    const valuesOf = (player: string) =>
      answers.flatMap((answer) => (answer.player === player ? answer.value : [])).toSorted((a, b) => a - b);
    assert.deepEqual(
      valuesOf(ann),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    assert.deepEqual(
      valuesOf(bob),
      Array.from({ length: 10 }, (_, index) => index + 1),
    );
    const unlocked = answers.flatMap(({ player, value, unlocked: keys }) =>
      keys.map((key) => [key, player, value]),
    );
    assert.deepEqual(
      unlocked.toSorted(),
      [
        ['jumper', ann, 3],
        ['jumper', bob, 3],
        ['leaper', ann, 10],
        ['leaper', bob, 10],
      ].toSorted(),
    );
  });

  it('is accepted when other calls of the same moment are refused', async () => {
    const ann = someone();
    const answers: RawAnswer[] = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        post({ stat: index % 2 === 0 ? 'jumps' : 'nowhere', player: ann, value: 1 }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, index) => (index % 2 === 0 ? 200 : 404)),
    );
    assert.equal((await write('jumps', ann, 0)).value, 20);
  });

  it('accepts only the space’s secret as credential', async () => {
    const body = { stat: 'jumps', player: someone(), value: 1 };
    for (const who of [service.anonymous, arena.creator])
      assert.deepEqual(codeOf(await who.call('POST', '/api/v1/stats', body)), [401, 'unauthorized']);
    const other = await makeArena(service, []);
    const elsewhere = await other.call('POST', '/api/v1/stats', body);
    assert.deepEqual(codeOf(elsewhere), [404, 'not_found'], 'the secret names the space');
    await other.putAchievements(declared);
    assert.equal((await other.call('POST', '/api/v1/stats', body)).status, 200);
    await other.creator.client.issueSecret({ params: { slug: other.slug } });
    assert.deepEqual(codeOf(await other.call('POST', '/api/v1/stats', body)), [401, 'unauthorized']);
  });
});
