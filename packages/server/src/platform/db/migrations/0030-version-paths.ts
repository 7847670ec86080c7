import type { Kysely } from 'kysely';

/** Versions at addresses with their number in them. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('version_paths')
    .addColumn('version_id', 'text', (column) =>
      column.primaryKey().references('versions.id').onDelete('cascade'),
    )
    .addColumn('origins', 'text', (column) => column.notNull())
    .addColumn('left_at', 'bigint')
    .execute();
}
