import type { Kysely } from 'kysely';

/** Marks scores of guests that add up several ones. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('guest_scores')
    .addColumn('is_sum', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
