import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { codeOf } from '../../test/answers.ts';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import { startService, type TestService } from '../../test/service.ts';
import { sweepDeletedSpaces } from '../deleting/purge-spaces.ts';
import { givenId } from '../platform/db/ids.ts';
import { findOwnSubmissions } from './boards.ts';
import { verifyRanks } from './verify-ranks.ts';

const boards = [{ key: 'points', periods: ['all' as const, 'day' as const] }, { key: 'coins' }];

describe('deleting a large board', () => {
  let service: TestService;
  let players: string[];
  before(async () => {
    // More than five scores are deleted by a job.
    service = await startService({ environment: { RANK_SEGMENT_SIZE: '2', RERANK_AT_ONCE: '5' } });
    players = await makePlayers(service, 12);
  });
  after(() => service.close());

  const db = () => service.service.platform.database.db;
  async function rows(): Promise<number[]> {
    const counts = [];
    for (const table of [
      'boards',
      'board_players',
      'submissions',
      'rankings',
      'entries',
      'ranking_segments',
      'rerank_changes',
    ] as const)
      counts.push((await db().selectFrom(table).selectAll().execute()).length);
    return counts;
  }
  const remove = ({ creator, slug }: Arena) => creator.call('DELETE', `/api/spaces/${slug}/boards/points`);

  it('shows nothing of it from then on, also under its name, and deletes its rows in pieces', async () => {
    const arena = await makeArena(service, boards);
    const empty = await rows();
    const scores = players.map((player, score) => ({ board: 'points', player, score }));
    assert.equal((await arena.post({ scores })).status, 201);
    const first = players[0] ?? '';
    await service.holdJobs(async () => {
      assert.deepEqual((await remove(arena)).json(), { deleted: true, entries: 12 });
      assert.deepEqual(codeOf(await remove(arena)), [404, 'not_found']);
      assert.deepEqual(codeOf(await arena.entries('points')), [404, 'not_found']);
      assert.deepEqual(codeOf(await arena.post({ board: 'points', player: first, score: 1 })), [
        404,
        'not_found',
      ]);
      const declared = (await arena.putBoards(boards)).json().boards;
      assert.deepEqual(
        declared.map(({ key, entries }: { key: string; entries: number }) => [key, entries]).sort(),
        [
          ['coins', 0],
          ['points', 0],
        ],
      );
      assert.deepEqual((await arena.entries('points')).json().entries, []);
      const { rank, entries } = await arena.score('points', first, 1);
      assert.deepEqual([rank, entries], [1, 1]);
      const own = await findOwnSubmissions(db(), givenId('usr', `cre_${first}`), null, 10);
      assert.deepEqual(
        own.map(({ board, score }) => [board, score]),
        [['points', 1]],
        'the player reads the new one alone',
      );
      const { database } = service.service.platform;
      const { submissions, differences } = await verifyRanks({ database }, arena.slug);
      assert.deepEqual([submissions, differences], [1, []]);
      assert.equal((await rows())[2], 13, 'the rows wait for the job');
    });
    await service.settle();
    assert.equal((await rows())[2], 1);
    assert.equal((await remove(arena)).status, 200);
    const [count = 0, ...rest] = await rows();
    // This one was small. Of each there was one live and one in the sandbox.
    assert.deepEqual([count + 2, ...rest], empty);
  });

  it('ends with its space, if that is deleted for good meanwhile', async () => {
    const empty = await rows();
    const arena = await makeArena(service, boards);
    const scores = players.map((player, score) => ({ board: 'points', player, score }));
    assert.equal((await arena.post({ scores })).status, 201);
    await service.holdJobs(async () => {
      assert.equal((await remove(arena)).status, 200);
      assert.equal((await arena.creator.call('DELETE', `/api/spaces/${arena.slug}`)).status, 200);
      service.clock.advance({ days: 8 });
      await sweepDeletedSpaces(service.service.platform);
      assert.deepEqual(await rows(), empty);
    });
    await service.settle();
    assert.deepEqual(await rows(), empty);
  });
});
