import type { PlayResult } from '@spaceport/contract/player';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { must, mustAt } from '../platform/must.ts';
import type { BoardRow } from './board-settings.ts';
import { type Played, scoreProblem, serverBoard } from './played-rules.ts';
import { findBoardsOf } from './post-scores.queries.ts';
import type { RankedScore } from './rank-scores.ts';
import { firstPeriod, rulesOf, scoreOf, sortKeyOf, windowAt } from './ranking.ts';
import { findRankings } from './rankings.queries.ts';
import { findBoard } from './read-entries.queries.ts';
import { findRivals } from './rivals.queries.ts';
import type { RankedPlace } from './runs.ts';
import { locate, ranksOf, totalsOf } from './segments.queries.ts';

/** Returns the results that players see for their scores, with the next rival to beat. */
export async function toPlayResults(tx: Tx, ranked: readonly RankedScore[]): Promise<PlayResult[]> {
  const rivals = await findRivals(
    tx,
    ranked.map(({ place }) => place),
  );
  return ranked.map(({ result: { rank, best, entries }, improved, board }, index) => {
    const rival = mustAt(rivals, index);
    const next = rival && { handle: rival.handle, score: scoreOf(rulesOf(board), rival.sortKey) };
    return { rank, best, improved, entries, next };
  });
}

/**
 * Finds the board for a guest's score and checks the score against its rules.
 * @returns the board, or the error: `not_found`, and those of `scoreProblem`
 */
export async function boardFor(
  tx: Tx,
  { spaceId, env, key }: { spaceId: SpaceId; env: Env; key: string },
  given: { readonly score: number; readonly played: Played },
): Promise<BoardRow | ServiceError> {
  const boards = await findBoardsOf(tx, [spaceId], [key]);
  const board = boards.find((one) => one.env === env);
  if (!board) return noBoard(key);
  return scoreProblem(board, { ...given, path: '' }) ?? board;
}

/**
 * Checks that players may post to a board.
 * @throws `not_found` and `server_board`
 */
export async function requirePlayedBoard(
  db: Db,
  { spaceId, env, key }: { spaceId: SpaceId; env: Env; key: string },
): Promise<void> {
  const board = await findBoard(db, spaceId, env, key);
  if (!board) throw noBoard(key);
  if (board.trust === 'server') throw serverBoard(key);
}

/**
 * Returns the rank that a score would have in the board's first ranking, for a player who is not
 * in it: after all equal scores.
 */
export async function rankAsIf(
  tx: Tx,
  board: BoardRow,
  score: number,
): Promise<Pick<PlayResult, 'rank' | 'entries' | 'next'>> {
  const rules = rulesOf(board);
  const [ranking] = await findRankings(tx.db, [board.id], [windowAt(firstPeriod(rules), tx.now)]);
  if (!ranking) return { rank: 1, entries: 0, next: null };
  const place: RankedPlace = {
    rankingId: ranking.id,
    sortKey: sortKeyOf(rules, score),
    submissionId: Number.MAX_SAFE_INTEGER,
  };
  const above = mustAt(await ranksOf(tx, await locate(tx, [place])), 0);
  const [rival] = await findRivals(tx, [place]);
  return {
    rank: above + 1,
    entries: must(await totalsOf(tx.db, [ranking.id]), ranking.id),
    next: rival ? { handle: rival.handle, score: scoreOf(rules, rival.sortKey) } : null,
  };
}

function noBoard(key: string): ServiceError {
  return new ServiceError('not_found', `There is no board «${key}».`);
}
