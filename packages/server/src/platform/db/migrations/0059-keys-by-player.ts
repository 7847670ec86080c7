import { type Kysely, sql } from 'kysely';
import { onlyOnPostgres } from '../dialect.ts';

/**
 * Finds the idempotency keys of one player in a space, which begin with the player's mark. SQLite has their primary key
 * in the order of bytes anyway.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await onlyOnPostgres(
    db,
    sql`create index idempotent_answers_beginning on idempotent_answers (space_id, key text_pattern_ops)`,
  );
}
