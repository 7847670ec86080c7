import type { Kysely } from 'kysely';

/** Deltas of files against other files. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('blob_deltas')
    .addColumn('hash', 'text', (column) => column.notNull().references('blobs.hash').onDelete('cascade'))
    .addColumn('dictionary', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('blob_deltas_key', ['hash', 'dictionary'])
    .execute();
}
