import type { Platform } from '../platform/context.ts';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import { findPlayedBoards, type PlayedBoard } from './own-scores.queries.ts';
import { firstPeriod, rulesOf, scoreOf, windowAt } from './ranking.ts';
import { findRankings, nameKey } from './rankings.queries.ts';
import { findRankedEntries } from './read-entries.queries.ts';

/** What stands for a player in the first ranking of a board. */
export interface OwnScore {
  readonly spaceId: SpaceId;
  readonly board: PlayedBoard;
  readonly score: number;
  readonly rank: number;
  readonly entries: number;
}

/** Boards of which a player's own page shows the rank. */
const mostBoards = 200;

/** Where a player stands on the live boards that they posted to: on none where they are banned. */
export async function readOwnScores(
  { database: { db }, clock }: Pick<Platform, 'database' | 'clock'>,
  playerId: PlayerId,
): Promise<OwnScore[]> {
  const boards = await findPlayedBoards(db, playerId, mostBoards);
  const named = boards.map((board) => ({
    board,
    window: windowAt(firstPeriod(rulesOf(board)), clock.now()),
  }));
  const found = await findRankings(
    db,
    boards.map(({ id }) => id),
    [...new Set(named.map(({ window }) => window))],
  );
  const ids = new Map(found.map((ranking) => [nameKey(ranking), ranking.id]));
  const scores: OwnScore[] = [];
  for (const { board, window } of named) {
    const rankingId = ids.get(nameKey({ boardId: board.id, window }));
    if (rankingId === undefined) continue;
    const [entry] = await findRankedEntries(db, rankingId, { at: 'around', playerId, above: 0 }, 1);
    if (!entry) continue;
    scores.push({
      spaceId: board.spaceId,
      board,
      score: scoreOf(board, entry.sort_key),
      rank: entry.rank,
      entries: entry.total,
    });
  }
  return scores;
}
