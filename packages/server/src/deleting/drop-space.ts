import { sql } from 'kysely';
import { dropBoardsOf } from '../boards/drop-boards.ts';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import type { ClaimId, SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { deleteSpace } from '../spaces/spaces.ts';
import { dropVersionsOf } from '../versions/hand-over.ts';

/** What its players leave in a space. A popular one has millions of rows of each. */
const playersTables = [
  'account_plays',
  'content',
  'error_groups',
  'guest_stats',
  'guest_unlocks',
  'idempotent_answers',
  'play_counts',
  'player_stats',
  'save_counters',
  'save_losers',
  'saves',
  'unlocks',
  'used_runs',
  'webhook_deliveries',
] as const;

/**
 * Deletes a space for good, in the caller's transaction: versions, boards, scores and what players have in it.
 * The collector deletes its files later. Its slugs stay taken.
 * @param claimId the claim of a page without an account, whose uploads are forgotten; null without one
 */
export async function dropSpace(tx: Tx, spaceId: SpaceId, claimId: ClaimId | null): Promise<void> {
  await dropVersionsOf(tx, spaceId, claimId);
  await dropBoardsOf(tx, spaceId);
  // They would go with the row of the space, but in one statement.
  for (const table of playersTables) await deleteInPieces(tx.db, table, sql`space_id = ${spaceId}`);
  await deleteSpace(tx, spaceId);
}
