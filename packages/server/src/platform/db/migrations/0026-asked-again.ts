import type { Kysely } from 'kysely';

/** Jobs count how often they were asked for. Meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('asks', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
}
