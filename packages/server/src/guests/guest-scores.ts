import {
  firstPeriod,
  type RuledBoard,
  rulesOf,
  scoreOf,
  sortKeyOf,
  standingAfter,
  windowAt,
} from '../boards/ranking.ts';
import { keepsReplayOf } from '../boards/replays.ts';
import type { BoardId, GuestId, PlaySessionId, RunId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import { putGuestReplay } from './guest-replays.queries.ts';
import { findGuestScore, putGuestScore } from './guest-scores.queries.ts';

/** A guest's score that its board has accepted. */
export interface GuestScore {
  readonly guestId: GuestId;
  readonly board: RuledBoard & { readonly id: BoardId };
  readonly score: number;
  readonly meta: unknown;
  /** In Base64. */
  readonly replay?: string | undefined;
  /** The version that was played, and the ids of its session and run. */
  readonly version: number | null;
  readonly session: PlaySessionId | null;
  readonly run: RunId | null;
}

/**
 * Keeps what counts for a guest after one more score: the best, the last or the sum, as the board says, in the window
 * of the board's first ranking. It is in no ranking. Returns it, and whether it is better than before.
 */
export async function keepGuestScore(
  tx: Tx,
  { guestId, board, score, meta, replay, version, session, run }: GuestScore,
): Promise<{ best: number; improved: boolean }> {
  await tx.lock(`guest-score:${guestId}:${board.id}`);
  const kept = await findGuestScore(tx.db, guestId, board.id);
  const rules = rulesOf(board);
  // Of a sum nobody knows the single scores, so it counts only as a sum.
  const isKnown = kept !== undefined && (kept.is_sum === 0 || rules.keep === 'sum');
  const isOver =
    kept !== undefined && windowAt(firstPeriod(rules), kept.at) !== windowAt(firstPeriod(rules), tx.now);
  const before = isKnown && !isOver ? { sortKey: sortKeyOf(rules, kept.score), submissionId: 0 } : undefined;
  const after = standingAfter(rules, before, { id: 1, score });
  const best = scoreOf(rules, after.sortKey);
  if (after !== before) {
    await putGuestScore(tx, {
      guest_id: guestId,
      board_id: board.id,
      score: best,
      is_sum: rules.keep === 'sum' && before !== undefined ? 1 : 0,
      meta: meta === undefined ? null : toJson(meta),
      version,
      session,
      run,
      at: tx.now,
    });
    const isKept = replay !== undefined && (await keepsReplayOf(tx, board, best));
    if (isKept || kept !== undefined)
      await putGuestReplay(tx, { guestId, boardId: board.id }, isKept ? replay : null);
  }
  return { best, improved: before === undefined || after.sortKey < before.sortKey };
}
