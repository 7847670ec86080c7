import type { Kysely } from 'kysely';

/** What the page of a version asks for first. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('version_paths')
    .addColumn('first_files', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
}
