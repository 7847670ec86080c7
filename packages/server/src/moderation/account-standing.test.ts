import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BoardDeclaration } from '@spaceport/contract/declarations';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { verifyRanks } from '../boards/verify-ranks.ts';

describe('a player whose account is banned', () => {
  let service: TestService;
  let operator: Persona;
  let arenas: Arena[];
  let players: string[];
  before(async () => {
    service = await startService();
    operator = await service.creator('ops', { operator: true });
    const declared: BoardDeclaration[] = [
      { key: 'points', periods: ['all', 'day'] },
      { key: 'laps', sort: 'asc' },
    ];
    arenas = [await makeArena(service, declared), await makeArena(service, declared)];
    players = await makePlayers(service, 3);
    for (const arena of arenas) {
      await arena.putAchievements({ stats: [{ key: 'hops' }], achievements: [{ key: 'first' }] });
      for (const [index, player] of players.entries()) {
        await arena.score('points', player, 10 - index);
        await arena.score('laps', player, 10 - index);
      }
    }
  });
  after(() => service.close());

  const change = async (handle: string, action: 'ban' | 'unban') => {
    const answer = await operator.call('POST', `/api/operator/accounts/${handle}/${action}`, { reason: 'r' });
    assert.equal(answer.status, 200, answer.text());
  };
  const ranking = async (arena: Arena, query = '') => {
    const { entries, total } = (await arena.entries('points', query)).json();
    assert.equal(total, entries.length);
    return entries.map(({ rank, handle }: { rank: number; handle: string }) => [rank, handle]);
  };
  const rankings = () =>
    Promise.all(arenas.flatMap((arena) => [ranking(arena), ranking(arena, '?period=day')]));
  const isProved = async () =>
    assert.deepEqual((await verifyRanks(service.service.platform)).differences, []);

  it('is left out of every ranking, cannot be posted for, and is back after the ban', async () => {
    const [first = '', second = '', third = ''] = players;
    const whole = [
      [1, first],
      [2, second],
      [3, third],
    ];
    assert.deepEqual(await rankings(), [whole, whole, whole, whole]);
    await change(first, 'ban');
    for (const arena of arenas) {
      assert.deepEqual(codeOf(await arena.post({ board: 'points', player: first, score: 99 })), [
        403,
        'banned',
      ]);
      for (const [path, body] of [
        ['stats', { stat: 'hops', player: first, value: 1 }],
        ['achievements', { achievement: 'first', player: first }],
      ] as const)
        assert.deepEqual(codeOf(await arena.call('POST', `/api/v1/${path}`, body)), [403, 'banned']);
    }
    await service.settle();
    const without = [
      [1, second],
      [2, third],
    ];
    assert.deepEqual(await rankings(), [without, without, without, without]);
    await isProved();

    // A creator who bans the player and lifts that ban does not bring the player back.
    const [arena] = arenas;
    assert.ok(arena);
    for (const method of ['POST', 'DELETE'])
      assert.equal(
        (await arena.creator.call(method, `/api/spaces/${arena.slug}/bans`, { handle: first })).status,
        200,
      );
    // Ranking a board again does not bring the player back either.
    await arena.putBoards([{ key: 'points', sort: 'asc', periods: ['all', 'day'] }]);
    await arena.putBoards([{ key: 'points', sort: 'desc', periods: ['all', 'day'] }]);
    assert.deepEqual(await rankings(), [without, without, without, without]);
    await isProved();

    await change(first, 'unban');
    await service.settle();
    assert.deepEqual(await rankings(), [whole, whole, whole, whole]);
    assert.equal((await arena.post({ board: 'points', player: first, score: 99 })).status, 201);
    await isProved();
  });

  it('is in no count of an achievement, until the ban is lifted', async () => {
    const [arena] = arenas;
    assert.ok(arena);
    await arena.putAchievements({ achievements: [{ key: 'counted' }, { key: 'late' }] });
    const [, second = '', third = ''] = players;
    const unlock = async (achievement: string, player: string) =>
      assert.equal((await arena.call('POST', '/api/v1/achievements', { achievement, player })).status, 200);
    for (const player of [second, third]) await unlock('counted', player);
    const counts = async () => {
      await service.settle();
      const { achievements } = (await service.anonymous.call('GET', `/api/gallery/${arena.slug}`)).json();
      return ['counted', 'late'].map(
        (key) => achievements.find((one: { key: string }) => one.key === key)?.unlocks,
      );
    };
    const creators = async (method: string) =>
      assert.equal(
        (await arena.creator.call(method, `/api/spaces/${arena.slug}/bans`, { handle: second })).status,
        200,
      );
    assert.deepEqual(await counts(), [2, 0]);
    await change(second, 'ban');
    assert.deepEqual(await counts(), [1, 0]);
    service.clock.advance({ minutes: 1 });
    assert.deepEqual(await counts(), [1, 0], 'the second run changes nothing');
    // Both bans hold the player out, and each alone.
    await creators('POST');
    assert.deepEqual(await counts(), [1, 0]);
    await change(second, 'unban');
    assert.deepEqual(await counts(), [1, 0]);
    await change(second, 'ban');
    await creators('DELETE');
    assert.deepEqual(await counts(), [1, 0]);
    await change(second, 'unban');
    assert.deepEqual(await counts(), [2, 0]);
    await unlock('late', second);
    await creators('POST');
    assert.deepEqual(await counts(), [1, 0]);
    await creators('DELETE');
    assert.deepEqual(await counts(), [2, 1]);
  });

  it('has the standing of the last ban or lift, however fast they follow', async () => {
    const [, second = ''] = players;
    for (const last of ['ban', 'unban'] as const) {
      const other = last === 'ban' ? 'unban' : 'ban';
      for (let round = 0; round < 4; round++) {
        await change(second, other);
        await change(second, last);
      }
      await service.settle();
      const found = (await rankings()).map((entries) =>
        entries.some(([, handle]: [number, string]) => handle === second),
      );
      assert.deepEqual(found, Array(4).fill(last === 'unban'));
      await isProved();
    }
  });
});
