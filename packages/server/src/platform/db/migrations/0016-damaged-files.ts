import type { Kysely } from 'kysely';

/** Stored files that turned out to be missing or damaged. Meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('damaged_files')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('problem', 'text', (column) => column.notNull())
    .addColumn('found_at', 'bigint', (column) => column.notNull())
    .execute();
}
