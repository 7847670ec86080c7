import type { Kysely } from 'kysely';

/** Keeps the pause of a webhook after a failure, which new events do not end. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('webhooks').addColumn('paused_until', 'bigint').execute();
}
