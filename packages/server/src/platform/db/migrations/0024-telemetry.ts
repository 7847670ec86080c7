import type { Kysely } from 'kysely';

/**
 * Telemetry of spaces at their players': loads, play and errors, by version. Column meanings: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('play_counts')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('version_id', 'text', (column) => column.references('versions.id').onDelete('cascade'))
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('what', 'text', (column) => column.notNull())
    .addColumn('bucket', 'integer', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('play_counts_key', ['space_id', 'env', 'version', 'day', 'what', 'bucket'])
    .execute();
  await schema.createIndex('play_counts_version').on('play_counts').column('version_id').execute();
  await schema.createIndex('play_counts_day').on('play_counts').column('day').execute();

  await schema
    .createTable('error_groups')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('place', 'text')
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('resolved_at', 'bigint')
    .addColumn('resolved_version', 'integer')
    .addUniqueConstraint('error_groups_fingerprint', ['space_id', 'env', 'fingerprint'])
    .execute();
  await schema
    .createIndex('error_groups_newest')
    .on('error_groups')
    .columns(['space_id', 'env', 'last_at', 'id'])
    .execute();

  await schema
    .createTable('error_versions')
    .addColumn('error_id', 'text', (column) =>
      column.notNull().references('error_groups.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('version_id', 'text', (column) => column.references('versions.id').onDelete('cascade'))
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addColumn('sessions', 'bigint', (column) => column.notNull())
    .addColumn('first_at', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('is_new', 'integer', (column) => column.notNull())
    .addColumn('alerted_at', 'bigint')
    .addColumn('stack', 'text')
    .addPrimaryKeyConstraint('error_versions_key', ['error_id', 'version'])
    .execute();
  await schema.createIndex('error_versions_version').on('error_versions').column('version_id').execute();
  await schema.createIndex('error_versions_age').on('error_versions').column('last_at').execute();

  await schema
    .createTable('error_browsers')
    .addColumn('error_id', 'text', (column) =>
      column.notNull().references('error_groups.id').onDelete('cascade'),
    )
    .addColumn('browser', 'text', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('error_browsers_key', ['error_id', 'browser'])
    .execute();

  await schema
    .createTable('error_mails')
    .addColumn('space_id', 'text', (column) =>
      column.primaryKey().references('spaces.id').onDelete('cascade'),
    )
    .addColumn('is_on', 'integer', (column) => column.notNull())
    .execute();
}
