import { dropBoardsOf, emptyBoardsOf } from '../boards/drop-boards.ts';
import type { Database } from '../platform/db/database.ts';
import type { ClaimId, SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { deleteSpace } from '../spaces/spaces.ts';
import { dropVersionsOf } from '../versions/hand-over.ts';
import { deletePlayersRows } from './players-rows.queries.ts';

/**
 * Deletes the scores and what players have in a space, in many transactions, before `dropSpace`: in one, a million scores
 * would keep every other write on SQLite waiting for a minute. Nobody can play the space any more, and `hideBoardsOf` has
 * hidden its boards.
 */
export async function emptySpace(database: Database, spaceId: SpaceId): Promise<void> {
  await emptyBoardsOf(database, spaceId);
  await deletePlayersRows(database, spaceId);
}

/**
 * Deletes a space for good, in the caller's transaction: versions, boards, scores and what players have in it.
 * The collector deletes its files later. Its slugs stay taken.
 * @param claimId the claim of a page without an account, whose uploads are forgotten; null without one
 */
export async function dropSpace(tx: Tx, spaceId: SpaceId, claimId: ClaimId | null): Promise<void> {
  await dropVersionsOf(tx, spaceId, claimId);
  await dropBoardsOf(tx, spaceId);
  await deletePlayersRows(tx, spaceId);
  await deleteSpace(tx, spaceId);
}
