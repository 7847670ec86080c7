import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import { groupLevel, segmentLevel } from './runs.ts';
import { verifyRanks } from './verify-ranks.ts';

const segmentSize = 2;
/** A group has about four segments of two entries (`segmentsInGroup`), and is split at more than twice that. */
const longestGroup = 16;

describe('the runs of a ranking', () => {
  let service: TestService;
  let arena: Arena;
  let players: string[];
  before(async () => {
    service = await startService({ environment: { RANK_SEGMENT_SIZE: String(segmentSize) } });
    arena = await makeArena(service, [{ key: 'points' }]);
    players = await makePlayers(service, 60);
  });
  after(() => service.close());

  const counts = async (level: number) => {
    const { db } = service.service.platform.database;
    const runs = await db
      .selectFrom('ranking_segments')
      .select('n')
      .where('level', '=', level)
      .where('n', '>', 0)
      .execute();
    return runs.map(({ n }) => n);
  };
  const differences = async () => (await verifyRanks(service.service.platform, arena.slug)).differences;

  it('are split when many scores come in at once', async () => {
    const scores = players.map((player, index) => ({ board: 'points', player, score: index }));
    assert.equal((await arena.post({ scores })).status, 201);
    const groups = await counts(groupLevel);
    assert.ok(groups.length > 2, `groups of ${groups}`);
    assert.ok(Math.max(...groups) <= longestGroup, `groups of ${groups}`);
    const segments = await counts(segmentLevel);
    assert.ok(Math.max(...segments) <= segmentSize * 2, `segments of ${segments}`);
    assert.deepEqual(await differences(), []);
  });

  it('are split when scores come in one by one', async () => {
    for (const [index, player] of players.slice(0, 30).entries())
      await arena.score('points', player, 1_000 + index);
    const groups = await counts(groupLevel);
    assert.ok(Math.max(...groups) <= longestGroup, `groups of ${groups}`);
    assert.deepEqual(await differences(), []);
  });

  it('are merged when entries go away', async () => {
    const before = (await counts(segmentLevel)).length;
    for (const handle of players.slice(5, 55)) {
      const banned = await arena.creator.call('POST', `/api/spaces/${arena.slug}/bans`, { handle });
      assert.equal(banned.status, 200, banned.text());
    }
    const [segments, groups] = [await counts(segmentLevel), await counts(groupLevel)];
    assert.ok(segments.length < before / 2, `segments of ${segments}`);
    assert.equal(
      groups.reduce((sum, n) => sum + n),
      10,
    );
    assert.deepEqual(await differences(), []);
  });
});
