import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { makeArena, makePlayers } from '../../test/arena.ts';
import { startService } from '../../test/service.ts';
import '../../test/one-engine.ts';

describe('the limits on the calls of a space’s server', () => {
  it('count scores, stats and unlocks together, and the refusal says when to go on', async () => {
    const service = await startService({
      environment: { SCORES_PER_MINUTE: '20', PLAYER_SCORES_PER_MINUTE: '3' },
    });
    try {
      const arena = await makeArena(service, [{ key: 'points' }]);
      await arena.putAchievements({ stats: [{ key: 'jumps' }], achievements: [{ key: 'founder' }] });
      const player = await service.creator();
      const { token } = await player.client.issuePlayerToken({
        body: { space: arena.slug, sandbox: false },
      });
      const calls = (who: object) => [
        () => arena.post({ board: 'points', score: 1, ...who }),
        () => arena.call('POST', '/api/v1/stats', { stat: 'jumps', value: 1, ...who }),
        () => arena.call('POST', '/api/v1/achievements', { achievement: 'founder', ...who }),
      ];
      const byHandle = { player: `@${player.handle.toUpperCase()}` };
      // Posts count alike, whether they name the player by token or by handle.
      for (const post of calls({ player_token: token })) assert.ok((await post()).status < 300);
      let wait = 0;
      for (const post of calls(byHandle)) {
        const refused = await post();
        assert.deepEqual(codeOf(refused), [429, 'rate_limited']);
        wait = Number(refused.headers['retry-after']);
        assert.ok(wait >= 1 && wait <= 60, String(wait));
      }
      service.clock.advance({ seconds: wait });
      for (const post of calls(byHandle).slice(0, 1)) assert.equal((await post()).status, 201);
      service.clock.advance({ minutes: 1 });
      const others = await makePlayers(service, 20);
      const stats = others.map((one) => ({ stat: 'jumps', player: one, value: 1 }));
      assert.equal((await arena.call('POST', '/api/v1/stats', { stats })).status, 200);
      // The limit is full again after a minute, however slow this machine is.
      const scores = others.map((one) => ({ board: 'points', player: one, score: 1 }));
      assert.deepEqual(codeOf(await arena.post({ scores })), [429, 'rate_limited']);
      service.clock.advance({ minutes: 1 });
      assert.equal((await arena.post({ scores })).status, 201);
    } finally {
      await service.close();
    }
  });
});
