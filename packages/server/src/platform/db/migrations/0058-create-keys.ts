import type { Kysely } from 'kysely';

/** What creates with an Idempotency-Key have made (versions/create-keys.ts). Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('create_keys')
    .addColumn('publisher', 'text', (column) => column.notNull())
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('version_id', 'text', (column) =>
      column.notNull().references('versions.id').onDelete('cascade'),
    )
    .addColumn('salt', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('create_keys_key', ['publisher', 'key_hash'])
    .execute();
  for (const column of ['version_id', 'created_at'])
    await db.schema.createIndex(`create_keys_${column}`).on('create_keys').column(column).execute();
}
