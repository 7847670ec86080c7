import { type Kysely, sql } from 'kysely';

/**
 * Takes the pages that have ended and whose space is deleted out of what sweeps look through: their rows stay, so that
 * their tokens go on to say that they have expired. Meaning: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    update unlisted_pages set expires_at = -1
    where claimed_at is null and not exists (select 1 from spaces where spaces.id = unlisted_pages.space_id)`.execute(
    db,
  );
}
