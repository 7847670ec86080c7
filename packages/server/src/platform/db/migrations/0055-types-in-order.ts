import type { Kysely } from 'kysely';

/** Indexes for the gallery's lists of one type: few spaces may be of it, and the others were all read. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [name, column] of [
    ['spaces_new_of_type', 'created_at'],
    ['spaces_played_of_type', 'plays'],
  ] as const)
    await db.schema.createIndex(name).on('spaces').columns(['state', 'space_type', column, 'id']).execute();
}
