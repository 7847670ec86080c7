import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { changeBan } from '../operators/accounts.ts';
import { machineActor } from '../operators/audit.ts';

const unknownToken = `sp_token_${'x'.repeat(48)}`;

describe('the boards of a space', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '500', CHECKS_PER_HOUR: '500' } });
    creator = await service.creator();
  });
  after(() => service.close());

  async function newSpace() {
    const { slug } = (await publishLive(service, creator)).space;
    const path = `/api/spaces/${slug}/boards`;
    return {
      slug,
      path,
      get: async (who: Pick<Persona, 'call'> = creator) => who.call('GET', path),
      put: async (boards: unknown, who: Pick<Persona, 'call'> = creator) => who.call('PUT', path, { boards }),
      drop: async (key: string, who: Pick<Persona, 'call'> = creator) => who.call('DELETE', `${path}/${key}`),
      keys: async () =>
        ((await creator.call('GET', path)).json().boards as { key: string }[]).map((b) => b.key),
    };
  }
  const many = (count: number, prefix = 'b') =>
    Array.from({ length: count }, (_, index) => ({ key: `${prefix}${index}` }));

  it('are stored as declared, with a default for every omitted field', async () => {
    const { get, put } = await newSpace();
    assert.deepEqual((await get()).json(), { boards: [] });
    const full = {
      key: 'lap_time-2',
      title: 'Fastest lap',
      metric: 'time',
      sort: 'desc',
      trust: 'server',
      keep: 'last',
      unit: 'ms',
      decimals: 3,
      min: -0.5,
      max: 2 ** 53,
      min_seconds: 86_400,
      max_per_second: 0.5,
      periods: ['month', 'all'],
    };
    const answer = await put([{ key: 'score' }, { key: 'time', metric: 'time' }, full]);
    assert.equal(answer.status, 200, answer.text());
    const { boards } = answer.json();
    const { created_at, updated_at, ...first } = boards[0];
    assert.deepEqual(first, {
      key: 'score',
      title: 'score',
      metric: 'score',
      sort: 'desc',
      trust: 'client',
      keep: 'best',
      unit: null,
      decimals: 0,
      min: null,
      max: null,
      min_seconds: null,
      max_per_second: null,
      periods: ['all'],
      source: 'api',
      entries: 0,
    });
    assert.equal(created_at, updated_at);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
    assert.deepEqual([boards[1].metric, boards[1].sort], ['time', 'asc']);
    const { created_at: _, updated_at: __, ...last } = boards[2];
    assert.deepEqual(last, { ...full, source: 'api', entries: 0 });
    assert.deepEqual((await get()).json(), { boards });
  });

  it('replace the whole board when a write names it, and keep the boards it does not name', async () => {
    const { get, put } = await newSpace();
    const { boards } = (await put([{ key: 'one', title: 'One', min: 3 }, { key: 'two' }])).json();
    service.clock.advance({ minutes: 1 });
    const after = (await put([{ key: 'three' }, { key: 'one', unit: 'm' }])).json().boards;
    assert.deepEqual(
      after.map(({ key }: { key: string }) => key),
      ['one', 'two', 'three'],
    );
    const [one, two] = after;
    assert.deepEqual([one.title, one.min, one.unit], ['one', null, 'm']);
    assert.equal(one.created_at, boards[0].created_at);
    assert.ok(one.updated_at > one.created_at);
    assert.deepEqual(two, boards[1]);
    service.clock.advance({ minutes: 1 });
    assert.deepEqual((await put([{ key: 'one', unit: 'm' }])).json().boards, after, 'the same is no change');
    assert.deepEqual((await put([])).json().boards, after);
    assert.deepEqual((await get()).json().boards, after);
  });

  it('exist in the sandbox too', async () => {
    const { slug, put, drop } = await newSpace();
    const rows = async () => {
      const found = await service.service.platform.database.db
        .selectFrom('boards as board')
        .innerJoin('spaces as space', 'space.id', 'board.space_id')
        .select(['board.env', 'board.key', 'board.sort'])
        .where('space.slug', '=', slug)
        .orderBy('board.env')
        .orderBy('board.key')
        .execute();
      return found.map(({ env, key, sort }) => `${env} ${key} ${sort}`);
    };
    await put([{ key: 'a' }, { key: 'b', sort: 'asc' }]);
    assert.deepEqual(await rows(), ['live a desc', 'live b asc', 'sandbox a desc', 'sandbox b asc']);
    await drop('a');
    assert.deepEqual(await rows(), ['live b asc', 'sandbox b asc']);
  });

  const wrong: [what: string, boards: unknown, path: string][] = [
    ['a sort that is none', [{ key: 'a', sort: 'up' }], 'boards.0.sort'],
    ['a key in capitals', [{ key: 'a' }, { key: 'B' }], 'boards.1.key'],
    ['a key that is too long', [{ key: 'a'.repeat(41) }], 'boards.0.key'],
    ['no key', [{ title: 'A' }], 'boards.0.key'],
    ['a key twice', [{ key: 'a' }, { key: 'a' }], 'boards.1.key'],
    ['a metric that is none', [{ key: 'a', metric: 'points' }], 'boards.0.metric'],
    ['a trust that is none', [{ key: 'a', trust: 'nobody' }], 'boards.0.trust'],
    ['a keep that is none', [{ key: 'a', keep: 'all' }], 'boards.0.keep'],
    ['an empty title', [{ key: 'a', title: ' ' }], 'boards.0.title'],
    ['a title that is too long', [{ key: 'a', title: 'x'.repeat(81) }], 'boards.0.title'],
    ['too many decimals', [{ key: 'a', decimals: 7 }], 'boards.0.decimals'],
    ['runs of no length', [{ key: 'a', min_seconds: 0 }], 'boards.0.min_seconds'],
    ['runs over a day', [{ key: 'a', min_seconds: 86_401 }], 'boards.0.min_seconds'],
    ['half a second', [{ key: 'a', min_seconds: 1.5 }], 'boards.0.min_seconds'],
    ['no score in a second', [{ key: 'a', max_per_second: 0 }], 'boards.0.max_per_second'],
    ['bounds the wrong way around', [{ key: 'a', min: 2, max: 1 }], 'boards.0.min'],
    ['a bound beyond 2^53', [{ key: 'a', max: 2 ** 54 }], 'boards.0.max'],
    ['no period', [{ key: 'a', periods: [] }], 'boards.0.periods'],
    ['a period that is none', [{ key: 'a', periods: ['year'] }], 'boards.0.periods.0'],
    ['a period twice', [{ key: 'a', periods: ['day', 'day'] }], 'boards.0.periods'],
    ['a field that is none', [{ key: 'a', colour: 'red' }], 'boards.0.colour'],
    ['something that is no list', { key: 'a' }, 'boards'],
  ];
  it('are refused as a whole, with the wrong field named', async () => {
    const { path, keys, put } = await newSpace();
    for (const [what, boards, field] of wrong) {
      const answer = await put(boards);
      assert.deepEqual(codeOf(answer), [422, 'invalid'], what);
      assert.deepEqual(
        answer.json().issues.map((issue: { path: string }) => issue.path),
        [field],
        what,
      );
      assert.ok(answer.json().message);
    }
    for (const body of ['{', '[]', '{}', { boards: [], more: 1 }])
      assert.deepEqual(codeOf(await creator.call('PUT', path, body)), [422, 'invalid']);
    assert.deepEqual(await keys(), []);
  });

  it('are at most ten, however many one write names', async () => {
    const { put, keys } = await newSpace();
    for (const count of [11, 500]) {
      const answer = await put(many(count));
      assert.deepEqual(codeOf(answer), [409, 'too_many']);
      assert.ok(answer.json().message);
    }
    assert.deepEqual(await keys(), []);
    assert.equal((await put(many(10))).status, 200);
    assert.deepEqual(codeOf(await put([{ key: 'b3', title: 'Changed' }, { key: 'eleventh' }])), [
      409,
      'too_many',
    ]);
    assert.equal((await put([{ key: 'b3', title: 'Changed' }])).status, 200);
    assert.deepEqual(
      await keys(),
      many(10).map(({ key }) => key),
    );
  });

  it('are at most ten when many are written at once', async () => {
    const { put, keys } = await newSpace();
    const answers = await Promise.all('abcde'.split('').map((prefix) => put(many(4, prefix))));
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, 200, 409, 409, 409]);
    assert.equal((await keys()).length, 8);
    const same = await Promise.all(Array.from({ length: 5 }, () => put([...many(2, 'x')])));
    assert.deepEqual(new Set(same.map(({ status }) => status)), new Set([200]));
    assert.equal((await keys()).length, 10);
  });

  it('can be deleted, which makes room for others', async () => {
    const { put, drop, keys } = await newSpace();
    await put(many(10));
    const answer = await drop('b4');
    assert.deepEqual([answer.status, answer.json()], [200, { deleted: true, entries: 0 }]);
    assert.deepEqual(codeOf(await drop('b4')), [404, 'not_found']);
    assert.deepEqual(codeOf(await drop('B4')), [422, 'invalid']);
    assert.equal((await put([{ key: 'new' }])).status, 200);
    assert.equal((await keys()).at(-1), 'new');
  });

  it('can be changed only by their creator', async () => {
    const { slug, get, put, drop, path } = await newSpace();
    await put([{ key: 'mine' }]);
    const operator = await service.creator(undefined, { operator: true });
    const wrongToken = {
      call: (method: string, where: string, body?: unknown) =>
        service.anonymous.call(method, where, body, { authorization: `Bearer ${unknownToken}` }),
    };
    for (const [who, expected] of [
      [service.anonymous, [401, 'unauthorized']],
      [wrongToken, [401, 'unauthorized']],
      [await service.creator(), [404, 'not_found']],
      [operator, [404, 'not_found']],
    ] as const) {
      for (const answer of [await get(who), await put([{ key: 'theirs' }], who), await drop('mine', who)]) {
        assert.deepEqual(codeOf(answer), expected);
        if (expected[0] === 404) assert.ok(answer.json().message);
      }
    }
    for (const method of ['GET', 'PUT'])
      assert.deepEqual(
        codeOf(
          await creator.call(
            method,
            '/api/spaces/nowhere/boards',
            method === 'PUT' ? { boards: [] } : undefined,
          ),
        ),
        [404, 'not_found'],
      );
    assert.deepEqual((await get()).json().boards.length, 1, slug);
    assert.deepEqual(codeOf(await creator.call('POST', path, {})), [405, 'method_not_allowed']);
  });

  it('are neither readable nor writable by a banned account', async () => {
    const banned = await service.creator();
    const { slug } = (await publishLive(service, banned)).space;
    const path = `/api/spaces/${slug}/boards`;
    await banned.call('PUT', path, { boards: [{ key: 'a' }] });
    await changeBan(service.service.platform, banned.handle, {
      banned: true,
      reason: null,
      by: machineActor,
    });
    assert.match((await banned.call('GET', path)).text(), /banned/u);
    assert.deepEqual(codeOf(await banned.call('PUT', path, { boards: [] })), [403, 'forbidden']);
    assert.deepEqual(codeOf(await banned.call('DELETE', `${path}/a`)), [403, 'forbidden']);
  });
});
