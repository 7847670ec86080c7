import type { Kysely } from 'kysely';

/** The files that the page of a version requests first. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('version_paths')
    .addColumn('first_files', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
}
