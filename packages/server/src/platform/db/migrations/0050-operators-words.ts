import type { Kysely } from 'kysely';

/** Keeps what the operators told the owner of a space about its state. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('spaces').addColumn('operators_message', 'text').execute();
}
