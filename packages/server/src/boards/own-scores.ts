import type { Platform } from '../platform/context.ts';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import { findPlayedBoards, type PlayedBoard } from './own-scores.queries.ts';
import { firstPeriod, rulesOf, scoreOf, windowAt } from './ranking.ts';
import { findStandings } from './read-entries.queries.ts';

/** A player's standing in the first ranking of a board. */
export interface OwnScore {
  readonly spaceId: SpaceId;
  readonly board: PlayedBoard;
  readonly score: number;
  readonly rank: number;
  readonly entries: number;
}

/**
 * Returns a player's standings on the live boards that they posted to, without
 * spaces that they are banned from.
 */
export async function readOwnScores(
  { database: { db }, clock }: Pick<Platform, 'database' | 'clock'>,
  playerId: PlayerId,
): Promise<OwnScore[]> {
  const boards = await findPlayedBoards(db, { playerId });
  const windows = boards.map((board) => ({
    boardId: board.id,
    window: windowAt(firstPeriod(rulesOf(board)), clock.now()),
  }));
  const standings = await findStandings(db, playerId, windows);
  const byBoard = new Map(standings.map((standing) => [standing.boardId, standing]));
  return boards.flatMap((board) => {
    const standing = byBoard.get(board.id);
    if (!standing) return [];
    const { sort_key, rank, total: entries } = standing;
    return { spaceId: board.spaceId, board, score: scoreOf(rulesOf(board), sort_key), rank, entries };
  });
}
