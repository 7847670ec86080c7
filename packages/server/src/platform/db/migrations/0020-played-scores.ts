import type { Kysely } from 'kysely';

/**
 * Scores that players post themselves: the limits of boards for runs, and where each score was played.
 * Meanings: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  // SQLite adds one column at a time.
  await schema.alterTable('boards').addColumn('min_seconds', 'integer').execute();
  await schema.alterTable('boards').addColumn('max_per_second', 'double precision').execute();
  await schema.alterTable('submissions').addColumn('version', 'integer').execute();
  await schema.alterTable('submissions').addColumn('session', 'text').execute();
  await schema.alterTable('submissions').addColumn('run', 'text').execute();
}
