import type { Kysely } from 'kysely';

/** Jobs count outages apart from their own failures. Meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('outages', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
