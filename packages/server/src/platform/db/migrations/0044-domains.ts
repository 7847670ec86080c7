import type { Kysely } from 'kysely';

/** Custom host names of spaces. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('domains')
    .addColumn('space_id', 'text', (column) =>
      column.primaryKey().references('spaces.id').onDelete('cascade'),
    )
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('proof', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('begun_at', 'bigint', (column) => column.notNull())
    .addColumn('lacking_since', 'bigint')
    .addColumn('due_at', 'bigint')
    .addColumn('live_host', 'text', (column) => column.unique())
    .execute();
  await schema.createIndex('domains_due').on('domains').column('due_at').execute();
}
