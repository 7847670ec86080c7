import type { BoardId, GuestId, PlaySessionId, RunId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import { findGuestScore, putGuestScore } from './guest-scores.queries.ts';

/** A guest's score that its board has accepted. */
export interface GuestScore {
  readonly guestId: GuestId;
  readonly board: { readonly id: BoardId; readonly sort: 'asc' | 'desc' };
  readonly score: number;
  readonly meta: unknown;
  /** The version that was played, and the ids of its session and run. */
  readonly version: number | null;
  readonly session: PlaySessionId | null;
  readonly run: RunId | null;
}

/**
 * Keeps a guest's score if it is better than the one that is kept. It is in no ranking. Returns the best
 * score, and whether it is this one.
 */
export async function keepGuestScore(
  tx: Tx,
  { guestId, board, score, meta, version, session, run }: GuestScore,
): Promise<{ best: number; improved: boolean }> {
  await tx.lock(`guest-score:${guestId}:${board.id}`);
  const kept = await findGuestScore(tx.db, guestId, board.id);
  if (kept && !isBetter(board.sort, score, kept.score)) return { best: kept.score, improved: false };
  await putGuestScore(tx, {
    guest_id: guestId,
    board_id: board.id,
    score: score + 0,
    meta: meta === undefined ? null : toJson(meta),
    version,
    session,
    run,
    at: tx.now,
  });
  return { best: score + 0, improved: true };
}

/** Returns whether a score is better than another. With `asc` the smaller one is better. */
export function isBetter(sort: 'asc' | 'desc', score: number, than: number): boolean {
  return sort === 'asc' ? score < than : score > than;
}
