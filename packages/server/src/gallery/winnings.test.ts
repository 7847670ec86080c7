import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';

const stats = [{ key: 'jumps', op: 'add' as const }];
const achievements = [
  { key: 'founder', title: 'Founder', description: 'Be there first.', points: 5 },
  { key: 'jumper', title: 'Jumper', trigger: { stat: 'jumps', atLeast: 3 } },
  { key: 'secret', title: 'The way out', description: 'Turn around.', hidden: true, points: 10 },
];

describe('achievements unlocked in a space', () => {
  let service: TestService;
  let arena: Arena;
  let ann: string;
  let bob: string;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  beforeEach(async () => {
    arena = await makeArena(service, []);
    await arena.putAchievements({ stats, achievements });
    [ann = '', bob = ''] = await makePlayers(service, 2);
  });

  const get = (path = '', headers: Record<string, string> = {}) =>
    service.anonymous.call('GET', `/api/gallery/${arena.slug}${path}`, undefined, headers);
  async function write(path: string, body: object): Promise<void> {
    const answer = await arena.call('POST', `/api/v1/${path}`, body);
    assert.equal(answer.status, 200, answer.text());
  }
  const unlock = (achievement: string, player: string, sandbox = false) =>
    write('achievements', { achievement, player, sandbox });
  const jump = (player: string, value: number, sandbox = false) =>
    write('stats', { stat: 'jumps', player, value, sandbox });
  const ban = (method: string, handle: string) =>
    arena.creator.call(method, `/api/spaces/${arena.slug}/bans`, { handle });
  /** Returns how many players have each achievement. */
  const counts = async () =>
    Object.fromEntries(
      (await get())
        .json()
        .achievements.map(({ key, unlocks }: { key: string; unlocks: number }) => [key, unlocks]),
    );
  const has = async (handle: string) =>
    (await get(`/players/${handle}`)).json().achievements.map(({ key }: { key: string }) => key);

  it('are counted in public reads of the space, and hidden ones show nothing else', async () => {
    const first = await get();
    assert.deepEqual(first.json().achievements, [
      {
        key: 'founder',
        title: 'Founder',
        description: 'Be there first.',
        icon: null,
        hidden: false,
        points: 5,
        unlocks: 0,
      },
      { key: 'jumper', title: 'Jumper', description: '', icon: null, hidden: false, points: 0, unlocks: 0 },
      { key: 'secret', title: null, description: null, icon: null, hidden: true, points: 10, unlocks: 0 },
    ]);
    await unlock('founder', ann);
    await unlock('founder', ann);
    await unlock('founder', bob);
    await unlock('secret', bob);
    await jump(ann, 3);
    await jump(ann, 3);
    const etag = first.headers.etag ?? '';
    assert.equal((await get('', { 'if-none-match': etag })).status, 200);
    assert.deepEqual(await counts(), { founder: 2, jumper: 1, secret: 1 });
    const text = (await get()).text();
    assert.ok(!text.includes('The way out') && !text.includes('Turn around'));
  });

  it('are listed by player, the newest first', async () => {
    assert.deepEqual((await get(`/players/${ann}`)).json(), { handle: ann, achievements: [] });
    await unlock('secret', ann);
    service.clock.advance({ minutes: 1 });
    await jump(ann, 3);
    service.clock.advance({ minutes: 1 });
    await unlock('founder', ann);
    await unlock('founder', bob);
    const answer = await get(`/players/@${ann.toUpperCase()}`);
    assert.equal(answer.headers['cache-control'], 'public, max-age=10');
    const { handle, achievements: own } = answer.json();
    assert.equal(handle, ann);
    assert.deepEqual(
      own.map(({ key }: { key: string }) => key),
      ['founder', 'jumper', 'secret'],
    );
    const times = own.map(({ unlocked_at }: { unlocked_at: string }) => Date.parse(unlocked_at));
    assert.deepEqual(
      times,
      times.toSorted((left: number, right: number) => right - left),
    );
    const { etag = '' } = answer.headers;
    assert.equal((await get(`/players/${ann}`, { 'if-none-match': etag })).status, 304);
    assert.deepEqual(codeOf(await get('/players/nobody_at_all')), [404, 'no_such_player']);
    assert.deepEqual(codeOf(await get('/players/a%20b')), [422, 'invalid']);
  });

  it('do not include those unlocked in the sandbox', async () => {
    await unlock('founder', ann, true);
    await jump(ann, 5, true);
    assert.deepEqual(await counts(), { founder: 0, jumper: 0, secret: 0 });
    assert.deepEqual(await has(ann), []);
    await unlock('founder', ann);
    const reset = await arena.creator.call('POST', `/api/v1/hosting/spaces/${arena.slug}/reset`, {});
    // The three are the stat's value and both unlocks.
    assert.equal(reset.json().deleted.achievements, 3);
    assert.deepEqual(await counts(), { founder: 1, jumper: 0, secret: 0 });
    assert.deepEqual(await has(ann), ['founder']);
  });

  it('do not include those of a banned player until the ban is lifted', async () => {
    await unlock('founder', ann);
    await jump(ann, 3);
    await unlock('founder', bob);
    await unlock('secret', ann, true);
    for (let twice = 0; twice < 2; twice++) {
      assert.equal((await ban('POST', ann)).status, 200);
      assert.deepEqual(await counts(), { founder: 1, jumper: 0, secret: 0 });
      assert.deepEqual(codeOf(await get(`/players/${ann}`)), [404, 'no_such_player']);
    }
    assert.deepEqual(await has(bob), ['founder']);
    for (let twice = 0; twice < 2; twice++) {
      assert.equal((await ban('DELETE', ann)).status, 200);
      assert.deepEqual(await counts(), { founder: 2, jumper: 1, secret: 0 });
    }
    assert.deepEqual((await has(ann)).toSorted(), ['founder', 'jumper']);
  });

  it('are counted exactly when players are banned while they unlock', async () => {
    const players = await makePlayers(service, 8);
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        players.flatMap((player, index) => [
          arena.call('POST', '/api/v1/achievements', { achievement: 'founder', player }),
          arena.call('POST', '/api/v1/stats', { stat: 'jumps', player, value: 2 }),
          ban((index + round) % 3 === 0 ? 'DELETE' : 'POST', player),
        ]),
      );
      const shown = (await Promise.all(players.map((player) => get(`/players/${player}`)))).flatMap(
        (answer) => (answer.status === 200 ? answer.json().achievements : []),
      );
      const of = (key: string) => shown.filter((one: { key: string }) => one.key === key).length;
      assert.deepEqual(await counts(), { founder: of('founder'), jumper: of('jumper'), secret: 0 });
    }
  });

  it('are deleted with the achievement, and not restored by a new one of the same key', async () => {
    await unlock('founder', ann);
    await unlock('founder', bob);
    await unlock('founder', ann, true);
    await jump(ann, 3);
    const path = `/api/spaces/${arena.slug}`;
    const deleted = await arena.creator.call('DELETE', `${path}/achievements/founder`);
    assert.deepEqual(deleted.json(), { deleted: true, unlocks: 2 });
    assert.deepEqual(await counts(), { jumper: 1, secret: 0 });
    assert.deepEqual(await has(ann), ['jumper']);
    const gone = await arena.call('POST', '/api/v1/achievements', { achievement: 'founder', player: ann });
    assert.deepEqual(codeOf(gone), [404, 'not_found']);
    await arena.putAchievements({ achievements });
    assert.deepEqual(await counts(), { founder: 0, jumper: 1, secret: 0 }, 'written anew, not emptied');
    assert.deepEqual(await has(ann), ['jumper']);
    await unlock('founder', ann);
    assert.equal((await counts()).founder, 1);
    // Deleting a stat deletes its values; what it unlocked stays unlocked.
    await arena.putAchievements({ achievements: [{ key: 'jumper' }] });
    const stat = await arena.creator.call('DELETE', `${path}/stats/jumps`);
    assert.deepEqual(stat.json(), { deleted: true, values: 1 });
    assert.equal((await counts()).jumper, 1);
    const unknown = await arena.call('POST', '/api/v1/stats', { stat: 'jumps', player: ann, value: 1 });
    assert.deepEqual(codeOf(unknown), [404, 'not_found']);
  });

  it('are not readable while the space is off the service', async () => {
    const operator = await service.creator(undefined, { operator: true });
    const act = (action: string) =>
      operator.call('POST', `/api/operator/spaces/${arena.slug}/${action}`, { reason: 'test' });
    await act('hide');
    assert.deepEqual(codeOf(await get(`/players/${ann}`)), [404, 'not_found']);
    await act('restore');
    assert.equal((await get(`/players/${ann}`)).status, 200);
  });
});
