import type { Kysely } from 'kysely';

/** Pages published without an account. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('unlisted_pages')
    .addColumn('claim_id', 'text', (column) => column.primaryKey())
    .addColumn('claim_hash', 'text', (column) => column.notNull().unique())
    .addColumn('space_id', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('claimed_at', 'bigint')
    .addColumn('claimed_by', 'text')
    .execute();
  await db.schema
    .createIndex('unlisted_pages_expiry')
    .on('unlisted_pages')
    .columns(['claimed_at', 'expires_at'])
    .execute();
}
