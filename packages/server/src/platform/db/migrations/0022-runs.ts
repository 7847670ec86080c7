import type { Kysely } from 'kysely';

/** Submitted runs, and replays of the best ones. Column meanings: ../schema.ts. */
export async function up({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('used_runs')
    .addColumn('run', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('used_runs_space').on('used_runs').column('space_id').execute();
  await schema.createIndex('used_runs_age').on('used_runs').column('used_at').execute();
  await schema
    .createTable('replays')
    .addColumn('submission_id', 'bigint', (column) =>
      column.primaryKey().references('submissions.id').onDelete('cascade'),
    )
    .addColumn('board_id', 'text', (column) => column.notNull().references('boards.id').onDelete('cascade'))
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('replays_board').on('replays').column('board_id').execute();
}
