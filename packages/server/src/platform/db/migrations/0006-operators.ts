import type { Kysely } from 'kysely';

/**
 * Data for operators: reports, the queue of reviews, links to versions under review. Meanings: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('reports')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('reported_at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('note', 'text')
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'bigint')
    .execute();
  await schema.createIndex('reports_state').on('reports').columns(['state', 'reported_at', 'id']).execute();
  await schema.createIndex('reports_space').on('reports').column('space_id').execute();
  await schema
    .createTable('review_links')
    .addColumn('label', 'text', (column) => column.primaryKey())
    .addColumn('version_id', 'text', (column) =>
      column.notNull().references('versions.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('review_links_version').on('review_links').column('version_id').execute();
  await schema
    .createIndex('versions_review')
    .on('versions')
    .columns(['review_decided_at', 'review_requested_at', 'id'])
    .execute();
  await schema.createIndex('spaces_created').on('spaces').columns(['created_at', 'id']).execute();
  await schema.createIndex('creators_created').on('creators').columns(['created_at', 'id']).execute();
}
