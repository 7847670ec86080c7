import type { Kysely } from 'kysely';

/**
 * Webhooks of spaces, their deliveries, and the records that they were told. Column meanings: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('off_at', 'bigint')
    .addColumn('off_reason', 'text')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('webhooks_url', ['space_id', 'url'])
    .execute();

  // Not a foreign key: writing an event while its webhook is deleted must not fail the transaction that makes
  // the event.
  await schema
    .createTable('webhook_deliveries')
    .addColumn('webhook_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'bigint')
    .addColumn('tried_at', 'bigint')
    .addColumn('status', 'integer')
    .addColumn('answer', 'text')
    .addColumn('ms', 'integer')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_deliveries_key', ['webhook_id', 'event_id'])
    .execute();
  await schema
    .createIndex('webhook_deliveries_newest')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'created_at', 'event_id'])
    .execute();
  await schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .columns(['webhook_id', 'state', 'next_at'])
    .execute();
  await schema.createIndex('webhook_deliveries_space').on('webhook_deliveries').column('space_id').execute();

  await schema
    .createTable('told_records')
    .addColumn('board_id', 'text', (column) =>
      column.primaryKey().references('boards.id').onDelete('cascade'),
    )
    .addColumn('submission_id', 'bigint', (column) => column.notNull())
    .addColumn('told_at', 'bigint', (column) => column.notNull())
    .execute();
}
