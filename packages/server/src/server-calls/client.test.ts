import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createGameServer, type GameServer } from '@spaceport/client/game-server';
import { makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('the client for game servers', () => {
  let service: TestService;
  let game: GameServer;
  let players: string[];
  before(async () => {
    service = await startService();
    const arena = await makeArena(service, [{ key: 'points' }]);
    await arena.putAchievements({
      stats: [{ key: 'wins', op: 'add' }],
      achievements: [{ key: 'first', trigger: { stat: 'wins', atLeast: 1 } }, { key: 'founder' }],
    });
    game = createGameServer({ baseUrl: service.baseUrl, secret: arena.secret, retry: false });
    players = await makePlayers(service, 100);
  });
  after(() => service.close());

  it('posts one or a hundred scores, stats and unlocks', async () => {
    const [ann = '', bob = ''] = players;
    assert.equal((await game.postScore({ board: 'points', player: ann, score: 5 })).rank, 1);
    const scores = await game.postScores(
      players.map((player, score) => ({ board: 'points', player, score, meta: { run: score } })),
    );
    assert.deepEqual([scores.length, scores[99]?.rank, scores[99]?.entries], [100, 1, 100]);
    assert.deepEqual(await game.postStat({ stat: 'wins', player: ann, value: 1 }), {
      stat: 'wins',
      player: ann,
      value: 1,
      unlocked: ['first'],
    });
    const stats = await game.postStats(players.map((player) => ({ stat: 'wins', player, value: 1 })));
    assert.deepEqual(
      stats.map(({ value, unlocked }) => [value, unlocked.length]),
      players.map((player) => (player === ann ? [2, 0] : [1, 1])),
    );
    assert.equal((await game.unlock({ achievement: 'founder', player: bob })).first, true);
  });

  it('writes once under the game’s own idempotency key, also after a restart of the service', async () => {
    const [ann = ''] = players;
    const win = () => game.postStat({ stat: 'wins', player: ann, value: 10 }, { idempotencyKey: 'match-7' });
    const first = await win();
    await service.restart();
    assert.deepEqual(await win(), first);
  });

  it('reports a refusal by its code', async () => {
    const [ann = ''] = players;
    await assert.rejects(game.postStat({ stat: 'losses', player: ann, value: 1 }), { code: 'not_found' });
    await assert.rejects(game.unlock({ achievement: 'founder', player: 'nobody_at_all' }), {
      code: 'no_such_player',
    });
    const many = [...players, ann].map((player) => ({ stat: 'wins', player, value: 1 }));
    await assert.rejects(game.postStats(many), { code: 'invalid', status: 422 });
  });
});
