import { keptReplays } from '@spaceport/contract/player';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { BoardRow } from './board-settings.ts';
import { type RuledBoard, rulesOf, sortKeyOf, windowAt } from './ranking.ts';
import { findRankings } from './rankings.queries.ts';
import { findBoard } from './read-entries.queries.ts';
import {
  deleteOtherReplays,
  findBest,
  findPlaceAt,
  findReplays,
  insertReplay,
  type ReplaySummary,
} from './replays.queries.ts';

/** The recording of a run whose score was just ranked. */
export interface NewReplay {
  readonly submissionId: number;
  readonly board: BoardRow;
  /** In Base64. */
  readonly data: string;
}

/**
 * Keeps the replays of submissions that are among the best of a current ranking, and deletes those that no
 * longer are. The caller holds the rankings' lock.
 */
export async function keepReplays(tx: Tx, replays: readonly NewReplay[]): Promise<void> {
  for (const own of Map.groupBy(replays, ({ board }) => board.id).values()) {
    const [first] = own;
    if (first === undefined) continue;
    const { board } = first;
    const best = await bestOf(tx, board);
    for (const { submissionId, data } of own) {
      if (!best.has(submissionId)) continue;
      await insertReplay(tx, {
        submission_id: submissionId,
        board_id: board.id,
        data,
        bytes: Buffer.from(data, 'base64').length,
      });
    }
    await deleteOtherReplays(tx, board.id, [...best]);
  }
}

/**
 * Returns the replays of a board, the newest first.
 * @throws `not_found`
 */
export async function listReplays(
  db: Db,
  { spaceId, env, key }: { spaceId: SpaceId; env: Env; key: string },
): Promise<ReplaySummary[]> {
  const board = await findBoard(db, spaceId, env, key);
  if (!board) throw new ServiceError('not_found', `There is no board «${key}».`);
  return findReplays(db, board.id);
}

/** Returns whether a replay of this score would be kept if it were ranked now. */
export async function keepsReplayOf(
  tx: Tx,
  board: RuledBoard & Pick<BoardRow, 'id'>,
  score: number,
): Promise<boolean> {
  const sortKey = sortKeyOf(rulesOf(board), score);
  const rankings = await currentRankings(tx, board);
  if (rankings.length < rulesOf(board).periods.length) return true;
  for (const { id } of rankings) {
    const last = await findPlaceAt(tx, id, keptReplays);
    if (last === undefined || sortKey < last) return true;
  }
  return false;
}

async function currentRankings(tx: Tx, board: RuledBoard & Pick<BoardRow, 'id'>) {
  const windows = rulesOf(board).periods.map((period) => windowAt(period, tx.now));
  return findRankings(tx.db, [board.id], windows);
}

/** Returns the ids of the submissions that are among the best of any current ranking. */
async function bestOf(tx: Tx, board: BoardRow): Promise<Set<number>> {
  const best = new Set<number>();
  for (const { id } of await currentRankings(tx, board))
    for (const one of await findBest(tx, id, keptReplays)) best.add(one);
  return best;
}
