import type { Kysely } from 'kysely';

/** Columns for spaces that creators take offline or delete. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('spaces').addColumn('standing', 'text').execute();
  for (const flag of ['offline', 'owner_banned'])
    await schema
      .alterTable('spaces')
      .addColumn(flag, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  await schema.alterTable('spaces').addColumn('deleted_at', 'bigint').execute();
  await schema.createIndex('spaces_deleted').on('spaces').column('deleted_at').execute();
  await schema
    .createTable('ended_labels')
    .addColumn('label', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
}
