import type { Kysely } from 'kysely';

/**
 * What API tokens are for. Those that were issued before keep what they were used for; none of them operates the
 * service. Meanings: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  for (const table of ['api_tokens', 'device_logins']) {
    await schema
      .alterTable(table)
      .addColumn('scopes', 'text', (column) => column.notNull().defaultTo('publish boards moderate'))
      .execute();
    await schema
      .alterTable(table)
      .addColumn('space_id', 'text', (column) => column.references('spaces.id').onDelete('cascade'))
      .execute();
  }
  await schema.alterTable('device_logins').addColumn('asked_space', 'text').execute();
  await schema.createIndex('api_tokens_space').on('api_tokens').column('space_id').execute();
}
