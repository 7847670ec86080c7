import type { Platform } from '../platform/context.ts';
import type { PlayerId } from '../platform/db/ids.ts';
import { findPlayedBoards, type PlayedBoard } from './own-scores.queries.ts';
import { firstPeriod, rulesOf, scoreOf, windowAt } from './ranking.ts';
import { findStanding } from './read-entries.queries.ts';

/** A player's standing in the first ranking of a board. */
export interface OwnScore {
  readonly board: PlayedBoard;
  readonly score: number;
  readonly rank: number;
  readonly entries: number;
}

/**
 * Returns a player's standings on the live boards that they posted to, without deleted spaces and
 * spaces that they are banned from.
 */
export async function readOwnScores(
  { database: { db }, clock }: Pick<Platform, 'database' | 'clock'>,
  playerId: PlayerId,
): Promise<OwnScore[]> {
  const boards = await findPlayedBoards(db, { playerId });
  const scores = boards.map(async (board) => {
    const rules = rulesOf(board);
    const window = windowAt(firstPeriod(rules), clock.now());
    const standing = await findStanding(db, playerId, { boardId: board.id, window });
    if (!standing) return [];
    const { sort_key, rank, total: entries } = standing;
    return { board, score: scoreOf(rules, sort_key), rank, entries };
  });
  return (await Promise.all(scores)).flat();
}
