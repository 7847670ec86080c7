import type { Kysely } from 'kysely';

interface Tables {
  versions: { status: string; review_decided_at: number | null; review_outcome: string | null };
}

/** How a review ended is kept with its version; of those decided before, what became of the version tells it. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema.alterTable('versions').addColumn('review_outcome', 'text').execute();
  const decided = db.updateTable('versions').where('review_decided_at', 'is not', null);
  await decided.set({ review_outcome: 'live' }).where('status', '=', 'live').execute();
  await decided.set({ review_outcome: 'declined' }).where('status', '!=', 'live').execute();
}
