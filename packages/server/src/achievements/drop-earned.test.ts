import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { actingBetween } from '../../test/between.ts';
import { addCrowd } from '../../test/crowd.ts';
import { startService, type TestService } from '../../test/service.ts';
import { givenId } from '../platform/db/ids.ts';
import { createDropEarnedJob } from './drop-earned.ts';

const declared = { stats: [{ key: 'hops' }], achievements: [{ key: 'first' }, { key: 'second' }] };

describe('deleting what many players have', () => {
  let service: TestService;
  let players: string[];
  before(async () => {
    // What more than five players have is deleted by a job.
    service = await startService({ environment: { RERANK_AT_ONCE: '5' } });
    players = await makePlayers(service, 7);
  });
  after(() => service.close());

  const db = () => service.service.platform.database.db;
  const remove = ({ creator, slug }: Arena, what: string) =>
    creator.call('DELETE', `/api/spaces/${slug}/${what}`);
  async function played() {
    const arena = await makeArena(service, []);
    await arena.putAchievements(declared);
    for (const player of players) {
      for (const achievement of ['first', 'second'])
        assert.equal((await arena.call('POST', '/api/v1/achievements', { achievement, player })).status, 200);
      assert.equal(
        (await arena.call('POST', '/api/v1/stats', { stat: 'hops', player, value: 3 })).status,
        200,
      );
    }
    return arena;
  }
  const rowsOf = async (table: 'unlocks' | 'player_stats' | 'guest_unlocks', { spaceId }: Arena) =>
    (
      await db()
        .selectFrom(table as 'unlocks')
        .select('key')
        .where('space_id', '=', spaceId)
        .execute()
    ).length;
  const seenOf = async ({ slug }: Arena, player: string) =>
    (await service.anonymous.call('GET', `/api/gallery/${slug}/players/${player}`))
      .json()
      .achievements.map(({ key }: { key: string }) => key)
      .toSorted();

  it('shows nothing of it from then on, and deletes the rows in a job', async () => {
    const arena = await played();
    const guest = givenId('gst', 'gst_1');
    await db()
      .insertInto('guests')
      .values({ id: guest, key_hash: 'a guest', created_at: 0, opened_at: service.clock.now() })
      .execute();
    const unlock = { guest_id: guest, space_id: arena.spaceId, env: 'live', unlocked_at: 0 } as const;
    await db()
      .insertInto('guest_unlocks')
      .values([
        { ...unlock, key: 'first' },
        { ...unlock, key: 'second' },
      ])
      .execute();
    const [player = ''] = players;
    await service.holdJobs(async () => {
      assert.deepEqual((await remove(arena, 'achievements/first')).json(), { deleted: true, unlocks: 7 });
      assert.deepEqual((await remove(arena, 'stats/hops')).json(), { deleted: true, values: 7 });
      assert.deepEqual(codeOf(await remove(arena, 'achievements/first')), [404, 'not_found']);
      assert.deepEqual(await seenOf(arena, player), ['second']);
      const late = await arena.call('POST', '/api/v1/achievements', { achievement: 'first', player });
      assert.deepEqual(codeOf(late), [404, 'not_found']);
      assert.deepEqual(
        [
          await rowsOf('unlocks', arena),
          await rowsOf('player_stats', arena),
          await rowsOf('guest_unlocks', arena),
        ],
        [14, 7, 1],
        'the rows of accounts wait for the job',
      );
    });
    await service.settle();
    assert.deepEqual([await rowsOf('unlocks', arena), await rowsOf('player_stats', arena)], [7, 0]);
    assert.deepEqual(await seenOf(arena, player), ['second']);
  });

  it('leaves nothing to what is declared anew under the same key, which keeps what it gets', async () => {
    const arena = await played();
    const [player = '', other = ''] = players;
    await service.holdJobs(async () => {
      assert.equal((await remove(arena, 'achievements/first')).status, 200);
      assert.equal((await remove(arena, 'stats/hops')).status, 200);
      await arena.putAchievements(declared);
      assert.deepEqual(await seenOf(arena, player), ['second']);
      const again = await arena.call('POST', '/api/v1/achievements', { achievement: 'first', player });
      assert.equal(again.json().first, true, again.text());
      const hops = await arena.call('POST', '/api/v1/stats', { stat: 'hops', player: other, value: 1 });
      assert.equal(hops.status, 200, hops.text());
    });
    await service.settle();
    assert.deepEqual(await seenOf(arena, player), ['first', 'second']);
    assert.deepEqual(await seenOf(arena, other), ['second']);
    const values = await db()
      .selectFrom('player_stats')
      .select('value')
      .where('space_id', '=', arena.spaceId)
      .execute();
    assert.deepEqual(values, [{ value: 1 }]);
  });

  it('deletes no more rows in a transaction than others wait for', async () => {
    const arena = await makeArena(service, [{ key: 'points' }]);
    await arena.putAchievements({ stats: declared.stats });
    const { id: boardId } = await db()
      .selectFrom('boards')
      .select('id')
      .where('space_id', '=', arena.spaceId)
      .where('env', '=', 'live')
      .executeTakeFirstOrThrow();
    const { platform } = service.service;
    await addCrowd(platform, { slug: arena.slug, spaceId: arena.spaceId, env: 'live', boardId }, 11_000);
    let pieces = 0;
    const job = createDropEarnedJob(actingBetween(platform, async () => void pieces++));
    await service.holdJobs(async () => {
      assert.deepEqual((await remove(arena, 'stats/hops')).json(), { deleted: true, values: 11_000 });
      const { ref } = await db()
        .selectFrom('jobs')
        .select('ref')
        .where('kind', '=', job.kind)
        .executeTakeFirstOrThrow();
      await job.run({ ref, signal: new AbortController().signal, confirmLease: async () => {} });
    });
    assert.deepEqual([pieces, await rowsOf('player_stats', arena)], [3, 0]);
    await service.settle();
    await db().deleteFrom('submissions').where('board_id', '=', givenId('brd', boardId)).execute();
  });
});
