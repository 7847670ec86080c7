import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { publishLive } from '../../test/files.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { changeBan } from '../operators/accounts.ts';
import { machineActor } from '../operators/audit.ts';

describe('the stats and achievements of a space', () => {
  let service: TestService;
  let creator: Persona;
  before(async () => {
    service = await startService({ environment: { PUBLISHES_PER_HOUR: '500', CHECKS_PER_HOUR: '500' } });
    creator = await service.creator();
  });
  after(() => service.close());

  async function newSpace() {
    const { slug } = (await publishLive(service, creator)).space;
    const path = `/api/spaces/${slug}/achievements`;
    const get = async (who: Pick<Persona, 'call'> = creator) => who.call('GET', path);
    return {
      slug,
      path,
      get,
      put: async (body: unknown, who: Pick<Persona, 'call'> = creator) => who.call('PUT', path, body),
      dropStat: async (key: string, who: Pick<Persona, 'call'> = creator) =>
        who.call('DELETE', `/api/spaces/${slug}/stats/${key}`),
      drop: async (key: string, who: Pick<Persona, 'call'> = creator) => who.call('DELETE', `${path}/${key}`),
      counts: async () => {
        const { stats, achievements } = (await get()).json();
        return [stats.length, achievements.length];
      },
    };
  }
  const many = (count: number, prefix = 'k') =>
    Array.from({ length: count }, (_, index) => ({ key: `${prefix}${index}` }));

  it('are stored as declared, with a default for every omitted field', async () => {
    const { get, put } = await newSpace();
    assert.deepEqual((await get()).json(), { stats: [], achievements: [] });
    const icon = 'https://example.org/icon.png';
    const stats = [{ key: 'jumps', label: 'Jumps', op: 'add' }, { key: 'best' }];
    const achievements = [
      { key: 'plain' },
      {
        key: 'jumper',
        title: 'Jumper',
        description: 'Jump.\nThen jump again.',
        trigger: { stat: 'jumps', atLeast: 2.5 },
        icon,
        hidden: true,
        points: 1000,
      },
    ];
    const answer = await put({ stats, achievements });
    assert.equal(answer.status, 200, answer.text());
    assert.deepEqual(answer.json(), {
      stats: [stats[0], { key: 'best', label: 'best', op: 'set' }],
      achievements: [
        {
          key: 'plain',
          title: 'plain',
          description: '',
          trigger: null,
          icon: null,
          hidden: false,
          points: 0,
        },
        achievements[1],
      ],
    });
    assert.deepEqual((await get()).json(), answer.json());
  });

  it('replace the whole item when a write names it, and keep the items it does not name', async () => {
    const { put } = await newSpace();
    await put({
      stats: [{ key: 'a', label: 'A', op: 'max' }, { key: 'b' }],
      achievements: [{ key: 'first', title: 'First', points: 5, trigger: { stat: 'a', atLeast: 1 } }],
    });
    const { stats, achievements } = (
      await put({ stats: [{ key: 'c' }, { key: 'a' }], achievements: [{ key: 'first' }] })
    ).json();
    assert.deepEqual(stats, [
      { key: 'a', label: 'a', op: 'set' },
      { key: 'b', label: 'b', op: 'set' },
      { key: 'c', label: 'c', op: 'set' },
    ]);
    assert.deepEqual(
      [achievements[0].title, achievements[0].points, achievements[0].trigger],
      ['first', 0, null],
    );
    assert.deepEqual((await put({})).json(), { stats, achievements });
    assert.deepEqual(
      (await put({ achievements: [{ key: 'late', trigger: { stat: 'b', atLeast: 1 } }] })).status,
      200,
    );
  });

  it('accept a trigger only on stats that are declared with it or exist already', async () => {
    const { put, get } = await newSpace();
    const achievement = (stat: string) => ({ key: `of-${stat}`, trigger: { stat, atLeast: 1 } });
    const answer = await put({
      stats: [{ key: 'known' }],
      achievements: [achievement('known'), achievement('other')],
    });
    assert.deepEqual(codeOf(answer), [422, 'unknown_stat']);
    assert.equal(answer.json().issues[0].path, 'achievements.1.trigger.stat');
    assert.deepEqual((await get()).json(), { stats: [], achievements: [] }, 'nothing of it is kept');
    assert.equal((await put({ stats: [{ key: 'known' }] })).status, 200);
    assert.equal((await put({ achievements: [achievement('known')] })).status, 200);
  });

  const wrong: [what: string, body: unknown, path: string][] = [
    ['a stat without a key', { stats: [{ label: 'A' }] }, 'stats.0.key'],
    ['an op that is none', { stats: [{ key: 'a', op: 'min' }] }, 'stats.0.op'],
    ['a stat twice', { stats: [{ key: 'a' }, { key: 'a' }] }, 'stats.1.key'],
    [
      'an icon in the clear',
      { achievements: [{ key: 'a', icon: 'http://a.example/i.png' }] },
      'achievements.0.icon',
    ],
    [
      'an icon that is no address',
      { achievements: [{ key: 'a', icon: 'javascript:1' }] },
      'achievements.0.icon',
    ],
    [
      'a trigger without a stat',
      { achievements: [{ key: 'a', trigger: { atLeast: 1 } }] },
      'achievements.0.trigger.stat',
    ],
    [
      'a trigger beyond 2^53',
      { stats: [{ key: 's' }], achievements: [{ key: 'a', trigger: { stat: 's', atLeast: 1e17 } }] },
      'achievements.0.trigger.atLeast',
    ],
    ['points below zero', { achievements: [{ key: 'a', points: -1 }] }, 'achievements.0.points'],
    ['an achievement twice', { achievements: [{ key: 'a' }, { key: 'a' }] }, 'achievements.1.key'],
    ['a field that is none', { achievements: [{ key: 'a', secret: true }] }, 'achievements.0.secret'],
    ['a part that is none', { badges: [] }, 'badges'],
  ];
  it('are refused as a whole, with the wrong field named', async () => {
    const { put, counts } = await newSpace();
    for (const [what, body, field] of wrong) {
      const answer = await put(body);
      assert.deepEqual(codeOf(answer), [422, 'invalid'], what);
      const paths = answer.json().issues.map((issue: { path: string }) => issue.path);
      assert.ok(paths.includes(field), `${what}: ${paths}`);
    }
    assert.deepEqual(codeOf(await put('{')), [422, 'invalid']);
    assert.deepEqual(await counts(), [0, 0]);
  });

  it('are at most fifty of each', async () => {
    const { put, counts } = await newSpace();
    assert.deepEqual(codeOf(await put({ stats: many(51) })), [409, 'too_many']);
    assert.deepEqual(codeOf(await put({ stats: many(3), achievements: many(200) })), [409, 'too_many']);
    assert.deepEqual(await counts(), [0, 0]);
    assert.equal((await put({ stats: many(50), achievements: many(50) })).status, 200);
    assert.deepEqual(codeOf(await put({ stats: [{ key: 'more' }] })), [409, 'too_many']);
    assert.deepEqual(codeOf(await put({ achievements: [{ key: 'more' }] })), [409, 'too_many']);
    assert.equal((await put({ stats: many(50), achievements: many(50) })).status, 200);
    assert.deepEqual(await counts(), [50, 50]);
  });

  it('are at most fifty of each when many are written at once', async () => {
    const { put, counts } = await newSpace();
    const answers = await Promise.all(
      'abcd'.split('').map((prefix) => put({ stats: many(20, prefix), achievements: many(30, prefix) })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
    assert.deepEqual(await counts(), [20, 30]);
  });

  it('can be deleted, but not a stat that a trigger names', async () => {
    const { put, drop, dropStat, counts } = await newSpace();
    await put({ stats: [{ key: 's' }], achievements: [{ key: 'a', trigger: { stat: 's', atLeast: 1 } }] });
    assert.deepEqual(codeOf(await dropStat('s')), [409, 'conflict']);
    assert.deepEqual((await drop('a')).json(), { deleted: true, unlocks: 0 });
    assert.deepEqual((await dropStat('s')).json(), { deleted: true, values: 0 });
    assert.deepEqual(codeOf(await drop('a')), [404, 'not_found']);
    assert.deepEqual(codeOf(await dropStat('s')), [404, 'not_found']);
    assert.deepEqual(codeOf(await dropStat('S')), [422, 'invalid']);
    assert.deepEqual(codeOf(await drop('-')), [422, 'invalid']);
    assert.deepEqual(await counts(), [0, 0]);
  });

  it('can be changed only by their creator', async () => {
    const { get, put, drop, dropStat, counts } = await newSpace();
    await put({ stats: [{ key: 's' }], achievements: [{ key: 'a' }] });
    for (const [who, expected] of [
      [service.anonymous, [401, 'unauthorized']],
      [await service.creator(), [404, 'not_found']],
      [await service.creator(undefined, { operator: true }), [404, 'not_found']],
    ] as const) {
      const answers = [
        await get(who),
        await put({ stats: [{ key: 'theirs' }] }, who),
        await drop('a', who),
        await dropStat('s', who),
      ];
      for (const answer of answers) assert.deepEqual(codeOf(answer), expected);
    }
    assert.deepEqual(await counts(), [1, 1]);
  });

  it('are neither readable nor writable by a banned account', async () => {
    const banned = await service.creator();
    const { slug } = (await publishLive(service, banned)).space;
    const path = `/api/spaces/${slug}/achievements`;
    await changeBan(service.service.platform, banned.handle, {
      banned: true,
      reason: null,
      by: machineActor,
    });
    assert.match((await banned.call('GET', path)).text(), /banned/u);
    assert.deepEqual(codeOf(await banned.call('PUT', path, {})), [403, 'forbidden']);
    assert.deepEqual(codeOf(await banned.call('DELETE', `${path}/a`)), [403, 'forbidden']);
    assert.deepEqual(codeOf(await banned.call('DELETE', `/api/spaces/${slug}/stats/a`)), [403, 'forbidden']);
  });
});
