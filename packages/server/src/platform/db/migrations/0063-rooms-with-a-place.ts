import { type Kysely, sql } from 'kysely';

/** Finds the open rooms of a space that have a place, the fullest first, in their order. The full ones were all read. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create index rooms_with_a_place on rooms (space_id, env, member_count desc, created_at)
    where is_open = 1 and is_locked = 0 and member_count < max_members`.execute(db);
}
