import { type Kysely, sql } from 'kysely';

/** Listing: addresses, what pages declare, what operators block and do. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  const zero = (name: string) =>
    schema
      .alterTable('spaces')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  const text = (name: string, value: string) =>
    schema
      .alterTable('spaces')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(value))
      .execute();
  await text('states_before', '[]');
  await zero('takes');
  await schema.alterTable('spaces').addColumn('clip', 'text').execute();
  await zero('plays');
  await zero('page_unlisted');
  await text('search_title', '');
  await text('search_description', '');
  await sql`update spaces set search_title = lower(title), search_description = lower(coalesce(description, ''))`.execute(
    db,
  );
  await schema.createIndex('spaces_new').on('spaces').columns(['state', 'created_at', 'id']).execute();
  await schema.createIndex('spaces_played').on('spaces').columns(['state', 'plays', 'id']).execute();

  await schema
    .createTable('space_urls')
    .addColumn('url_key', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .execute();
  await schema.createIndex('space_urls_space').on('space_urls').column('space_id').execute();
  await schema
    .createTable('page_declarations')
    .addColumn('space_id', 'text', (column) =>
      column.primaryKey().references('spaces.id').onDelete('cascade'),
    )
    .addColumn('declared', 'text')
    .addColumn('warning', 'text')
    .addColumn('synced_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('blocked_addresses')
    .addColumn('address', 'text', (column) => column.primaryKey())
    .addColumn('blocked_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('audit_log')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .execute();
  await schema.createIndex('audit_log_at').on('audit_log').columns(['at', 'id']).execute();
  await schema.createIndex('audit_log_subject').on('audit_log').columns(['subject', 'at']).execute();
}
