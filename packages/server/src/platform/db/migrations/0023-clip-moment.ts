import type { Kysely } from 'kysely';

/** The time at which pictures of a space are taken. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('spaces')
    .addColumn('clip_after_seconds', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
