import { sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';

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

/** Deletes what players left in a space, in pieces. It would go with the row of the space, but in one statement. */
export async function deletePlayersRows({ db }: { readonly db: Db }, spaceId: SpaceId): Promise<void> {
  for (const table of playersTables) await deleteInPieces(db, table, sql`space_id = ${spaceId}`);
}
