import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';

const declared = {
  stats: [{ key: 'wins' }],
  achievements: [{ key: 'founder' }, { key: 'winner', trigger: { stat: 'wins', atLeast: 1 } }],
};

interface Unlocked {
  achievement: string;
  player: string;
  unlocked_at: string;
  first: boolean;
}

describe('POST /api/v1/achievements', () => {
  let service: TestService;
  let arena: Arena;
  const players: string[] = [];
  before(async () => {
    service = await startService();
    arena = await makeArena(service, []);
    await arena.putAchievements(declared);
    players.push(...(await makePlayers(service, 80)));
  });
  after(() => service.close());

  /** Returns a player without any progress. */
  const someone = () => players.pop() ?? '';
  const post = (body: unknown, headers?: Record<string, string>) =>
    arena.call('POST', '/api/v1/achievements', body, headers);
  async function unlock(achievement: string, player: string, more: object = {}): Promise<Unlocked> {
    const answer = await post({ achievement, player, ...more });
    assert.equal(answer.status, 200, answer.text());
    return answer.json();
  }
  const setStat = async (player: string, value: number) =>
    (await arena.call('POST', '/api/v1/stats', { stat: 'wins', player, value })).json().unlocked;
  const counted = async (key: string) => {
    const { achievements } = (await service.anonymous.call('GET', `/api/gallery/${arena.slug}`)).json();
    return achievements.find((one: { key: string }) => one.key === key).unlocks as number;
  };

  it('unlocks once, and returns the same time in later calls', async () => {
    const ann = someone();
    const before = service.clock.now();
    const first = await unlock('founder', ann);
    assert.deepEqual(
      { ...first, unlocked_at: '' },
      {
        achievement: 'founder',
        player: ann,
        unlocked_at: '',
        first: true,
      },
    );
    assert.match(first.unlocked_at, /^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/u);
    assert.ok(Date.parse(first.unlocked_at) >= before);
    service.clock.advance({ days: 3 });
    assert.deepEqual(await unlock('founder', `@${ann.toUpperCase()}`), { ...first, first: false });
    assert.equal((await unlock('founder', someone())).first, true, 'everyone has their own');
  });

  it('knows what a trigger unlocked, and a trigger knows what it unlocked', async () => {
    const [ann, bob] = [someone(), someone()];
    assert.deepEqual(await setStat(ann, 1), ['winner']);
    assert.equal((await unlock('winner', ann)).first, false);
    assert.equal((await unlock('winner', bob)).first, true, 'a server may unlock what has a trigger too');
    assert.deepEqual(await setStat(bob, 1), []);
  });

  it('unlocks once when many calls come at once', async () => {
    const ann = someone();
    const count = await counted('founder');
    const answers = await Promise.all(Array.from({ length: 50 }, () => unlock('founder', ann)));
    assert.equal(answers.filter(({ first }) => first).length, 1);
    assert.equal(new Set(answers.map(({ unlocked_at }) => unlocked_at)).size, 1);
    const others = Array.from({ length: 50 }, someone);
    const each = await Promise.all(others.map((player) => unlock('founder', player)));
    assert.ok(each.every(({ first }) => first));
    assert.equal(await counted('founder'), count + 51);
  });

  it('unlocks once when a trigger and a call come at once', async () => {
    const ann = someone();
    const [stats, unlocks] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => setStat(ann, 1))),
      Promise.all(Array.from({ length: 10 }, () => unlock('winner', ann))),
    ]);
    assert.equal(stats.flat().length + unlocks.filter(({ first }) => first).length, 1);
  });

  it('keeps the sandbox separate from live data', async () => {
    const ann = someone();
    const count = await counted('founder');
    assert.equal((await unlock('founder', ann, { sandbox: true })).first, true);
    assert.equal((await unlock('founder', ann, { sandbox: true })).first, false);
    const path = `/api/gallery/${arena.slug}/players/${ann}`;
    assert.deepEqual((await service.anonymous.call('GET', path)).json().achievements, []);
    assert.equal(await counted('founder'), count);
    assert.equal((await unlock('founder', ann)).first, true);
  });

  it('accepts a player token instead of a handle', async () => {
    const player = await service.creator();
    const { token } = await player.client.issuePlayerToken({
      body: { space: arena.slug, sandbox: false },
    });
    const answer = await post({ achievement: 'founder', player_token: token });
    assert.deepEqual([answer.status, answer.json().player], [200, player.handle]);
    assert.equal((await unlock('founder', player.handle)).first, false);
    const sandbox = await post({ achievement: 'founder', player_token: token, sandbox: true });
    assert.deepEqual(codeOf(sandbox), [422, 'invalid']);
    assert.equal(sandbox.json().issues[0].path, 'player_token');
  });

  it('refuses an unlock that is not possible, with the wrong field named', async () => {
    const good = { achievement: 'founder', player: someone() };
    const cases: [unknown, string][] = [
      [{ ...good, achievement: 'No Key' }, 'achievement'],
      [{ player: good.player }, 'achievement'],
      [{ ...good, player: undefined }, 'player'],
      [{ ...good, player_token: 'x' }, 'player'],
      [{ ...good, player: 'a b' }, 'player'],
      [{ ...good, sandbox: 'yes' }, 'sandbox'],
      [{ ...good, unlocked_at: 1 }, 'unlocked_at'],
      [{ achievements: [good] }, 'achievements'],
      ['[', ''],
    ];
    for (const [body, path] of cases) {
      const refused = await post(body);
      assert.deepEqual(codeOf(refused), [422, 'invalid'], JSON.stringify(body));
      const paths = refused.json().issues.map((issue: { path: string }) => issue.path);
      assert.ok(paths.includes(path), refused.text());
    }
    assert.deepEqual(codeOf(await post({ ...good, achievement: 'nowhere' })), [404, 'not_found']);
    assert.deepEqual(codeOf(await post({ ...good, player: 'nobody_at_all' })), [404, 'no_such_player']);
    assert.equal((await unlock('founder', good.player)).first, true);
  });

  it('refuses a player who is banned from the space, until the ban is lifted', async () => {
    const ann = someone();
    const ban = (method: string) =>
      arena.creator.call(method, `/api/spaces/${arena.slug}/bans`, { handle: ann });
    await ban('POST');
    for (const sandbox of [false, true])
      assert.deepEqual(codeOf(await post({ achievement: 'founder', player: ann, sandbox })), [403, 'banned']);
    await ban('DELETE');
    assert.equal((await unlock('founder', ann)).first, true);
  });

  it('runs a call with an Idempotency-Key once', async () => {
    const [ann, bob] = [someone(), someone()];
    const key = { 'idempotency-key': 'unlock-1' };
    const body = { achievement: 'founder', player: ann };
    const first = await post(body, key);
    const again = await post(body, key);
    assert.deepEqual([again.status, again.text()], [200, first.text()]);
    assert.equal(again.json().first, true, 'the first answer');
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.deepEqual(codeOf(await post({ ...body, player: bob }, key)), [409, 'conflict']);
    assert.equal((await unlock('founder', bob)).first, true);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        post({ achievement: 'winner', player: ann }, { 'idempotency-key': 'unlock-2' }),
      ),
    );
    assert.equal(new Set(answers.map((answer) => answer.text())).size, 1);
  });

  it('accepts only the space’s secret as credential', async () => {
    const body = { achievement: 'founder', player: someone() };
    for (const who of [service.anonymous, arena.creator])
      assert.deepEqual(codeOf(await who.call('POST', '/api/v1/achievements', body)), [401, 'unauthorized']);
    const other = await makeArena(service, []);
    assert.deepEqual(codeOf(await other.call('POST', '/api/v1/achievements', body)), [404, 'not_found']);
    await other.creator.client.issueSecret({ params: { slug: other.slug } });
    assert.deepEqual(codeOf(await other.call('POST', '/api/v1/achievements', body)), [401, 'unauthorized']);
  });
});
