import type { Kysely } from 'kysely';

/**
 * The scopes of API tokens. Earlier tokens keep the scopes that they were used for, without the right to
 * operate the service. Meanings: ../schema.ts.
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
