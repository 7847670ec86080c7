import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Arena, makeArena, makePlayers } from '../../test/arena.ts';
import type { PlayingVisitor } from '../../test/played.ts';
import { openPlayedArena, playerScores } from '../../test/player-scores.ts';
import { startService, type TestService } from '../../test/service.ts';
import { toJson } from '../platform/db/json.ts';
import type { RankingRules } from './ranking.ts';

// A change of `sort` turns the sign of sort keys. Rankings keep the signs of the earlier rules until the job is done.
describe('a board that is now ascending, and whose rankings still descend', () => {
  let service: TestService;
  let arena: Arena;
  let ada: PlayingVisitor;
  let bob: PlayingVisitor;
  const { result } = playerScores(() => arena);
  before(async () => {
    ({ service, arena, ada, bob } = await openPlayedArena());
    await result(ada, 'points', 10);
    await result(bob, 'points', 7);
    const earlier: RankingRules = { sort: 'desc', keep: 'best', periods: ['all'] };
    const changed = await service.service.platform.database.db
      .updateTable('boards')
      .set({ sort: 'asc', ranked_as: toJson(earlier) })
      .where('space_id', '=', arena.spaceId)
      .where('key', '=', 'points')
      .executeTakeFirstOrThrow();
    assert.equal(Number(changed.numUpdatedRows), 2);
  });
  after(() => service.close());

  it('shows scores as they were posted', async () => {
    const { entries } = (await arena.entries('points')).json();
    assert.deepEqual(
      entries.map(({ rank, handle, score }: Record<string, unknown>) => [rank, handle, score]),
      [
        [1, 'ada', 10],
        [2, 'bob', 7],
      ],
    );
  });

  it('shows players their own scores as they were posted', async () => {
    const { scores } = (await bob.call('GET', '/api/player/me')).json();
    assert.deepEqual(
      scores.map(({ board, score }: { board: { key: string }; score: number }) => [board.key, score]),
      [['points', 7]],
    );
  });

  it('names the score to beat as it was posted', async () => {
    assert.deepEqual(await result(bob, 'points', 8), {
      rank: 2,
      best: 8,
      improved: true,
      entries: 2,
      next: { handle: 'ada', score: 10 },
    });
  });
});

// A large deletion takes the submissions first. Their entries stand until the job is done.
describe('a board whose deleted submissions still have entries', () => {
  let service: TestService;
  let arena: Arena;
  let players: string[];
  before(async () => {
    service = await startService();
    arena = await makeArena(service, [{ key: 'points' }]);
    players = await makePlayers(service, 12);
    const scores = players.map((player, index) => ({ board: 'points', player, score: -index }));
    assert.equal((await arena.post({ scores })).status, 201);
    await service.service.platform.database.db
      .deleteFrom('submissions')
      .where('score', 'in', [-1, -2, -6])
      .execute();
  });
  after(() => service.close());

  const page = async (query: string) => {
    const { entries, next } = (await arena.entries('points', query)).json();
    return { ranks: entries.map(({ rank }: { rank: number }) => rank), next };
  };

  it('leaves these out, and the others keep their ranks', async () => {
    const first = await page('?limit=5');
    assert.deepEqual(first.ranks, [1, 4, 5]);
    const second = await page(`?limit=5&cursor=${first.next}`);
    assert.deepEqual(second.ranks, [6, 8, 9, 10]);
    assert.deepEqual(await page(`?limit=5&cursor=${second.next}`), { ranks: [11, 12], next: null });
    assert.deepEqual((await page(`?limit=5&around=${players[7]}`)).ranks, [6, 8, 9, 10]);
  });
});
