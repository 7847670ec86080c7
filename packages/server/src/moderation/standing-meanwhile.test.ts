import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena } from '../../test/arena.ts';
import { withoutLockWaits } from '../../test/lock-waits.ts';
import { type Persona, startService, type TestService } from '../../test/service.ts';
import { signUp } from '../../test/visitor.ts';
import { lockProgress } from '../achievements/achievements.ts';
import { postStats } from '../achievements/post-stats.ts';
import { lockRankings } from '../boards/change-entries.ts';
import { postScores } from '../boards/post-scores.ts';
import { verifyRanks } from '../boards/verify-ranks.ts';
import { findPlayer } from '../players/players.ts';

describe('an account that is banned or deleted while something is written for it', () => {
  let service: TestService;
  let operator: Persona;
  let arena: Arena;
  before(async () => {
    service = await startService({ environment: { SIGN_UPS_PER_HOUR: '1000' } });
    operator = await service.creator('ops', { operator: true });
    arena = await makeArena(service, [{ key: 'points' }]);
    await arena.putAchievements({ stats: [{ key: 'hops' }] });
  });
  after(() => service.close());

  const platform = () => service.service.platform;
  const handles = async () =>
    (await arena.entries('points')).json().entries.map(({ handle }: { handle: string }) => handle);
  const statsThere = async () =>
    (await platform().database.db.selectFrom('player_stats').select('key').execute()).length;

  /** Posts for a player in a transaction that ends only after `act`, and after the jobs that it requested. */
  async function postDuring(handle: string, act: () => Promise<unknown>): Promise<void> {
    const { database } = platform();
    await database.transaction(async (tx) => {
      const player = await findPlayer(tx.db, handle);
      assert.ok(player);
      const { spaceId } = arena;
      const at = { env: 'live', player, path: '' } as const;
      await lockRankings(tx, [spaceId]);
      await lockProgress(tx, spaceId);
      await postScores(tx, [{ spaceId, scores: [{ ...at, boardKey: 'points', score: 9, meta: undefined }] }]);
      await postStats(tx, [{ spaceId, posts: [{ ...at, stat: 'hops', value: 3 }] }], tx.now);
      await act();
      await service.settle();
    });
  }

  it('is in no ranking a minute later', { skip: withoutLockWaits }, async () => {
    const handle = 'banned_one';
    await signUp(service, { handle });
    await postDuring(handle, async () => {
      const path = `/api/operator/accounts/${handle}/ban`;
      assert.equal((await operator.call('POST', path, { reason: 'r' })).status, 200);
    });
    service.clock.advance({ minutes: 1 });
    await service.settle();
    assert.deepEqual(await handles(), []);
    assert.deepEqual((await verifyRanks(platform())).differences, []);
  });

  it('leaves nothing a minute later, when it was deleted', { skip: withoutLockWaits }, async () => {
    const before = await statsThere();
    const who = await signUp(service, { handle: 'deleted_one' });
    await postDuring('deleted_one', async () => {
      const answer = await who.call('DELETE', '/api/account', { password: who.password });
      assert.equal(answer.status, 200, answer.text());
    });
    service.clock.advance({ minutes: 1 });
    await service.settle();
    assert.deepEqual(await handles(), []);
    assert.equal(await statsThere(), before);
    const { entries, submissions, differences } = await verifyRanks(platform());
    assert.deepEqual([entries, submissions, differences], [0, 0, []]);
  });
});
