import { type Kysely, sql } from 'kysely';

/** Finds the few spaces that have had so many versions that a sweep may delete some: KEEP_VERSIONS is 100 at least. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create index spaces_of_many_versions on spaces (id) where next_version > 100`.execute(db);
}
