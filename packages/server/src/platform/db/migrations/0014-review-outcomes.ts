import type { Kysely } from 'kysely';

interface Tables {
  versions: { status: string; review_decided_at: number | null; review_outcome: string | null };
}

/**
 * Stores the outcome of a review with its version. For earlier reviews it is derived from the version's
 * state.
 */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('versions').addColumn('review_outcome', 'text').execute();
  const decided = db.updateTable('versions').where('review_decided_at', 'is not', null);
  await decided.set({ review_outcome: 'live' }).where('status', '=', 'live').execute();
  await decided.set({ review_outcome: 'declined' }).where('status', '!=', 'live').execute();
}
