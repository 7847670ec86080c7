import type { Kysely } from 'kysely';

/**
 * Files that are no longer served anywhere, and the versions that contain them. Column meanings:
 * ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('taken_down_files')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('taken_down_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('taken_down_versions')
    .addColumn('hash', 'text', (column) =>
      column.notNull().references('taken_down_files.hash').onDelete('cascade'),
    )
    .addColumn('version_id', 'text', (column) =>
      column.notNull().references('versions.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('taken_down_versions_key', ['hash', 'version_id'])
    .execute();
  await schema
    .createIndex('taken_down_versions_of_version')
    .on('taken_down_versions')
    .column('version_id')
    .execute();
}
