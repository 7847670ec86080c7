import { type Kysely, sql } from 'kysely';

/**
 * Finds the due jobs of a kind in their order. Each listed page has a job for its next look: after a day without a worker
 * all of them are due, and were read for every job that another kind leased and for every job that ended.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index jobs_due_of_kind on jobs (kind, run_at) where failed_at is null`.execute(db);
}
