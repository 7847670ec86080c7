import type { Kysely } from 'kysely';

/** The activity in each space, day by day. Meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('space_days')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('plays', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('scores', 'integer')
    .addColumn('players', 'integer')
    .addPrimaryKeyConstraint('space_days_day', ['space_id', 'day'])
    .execute();
  // The index includes the player, so that a day is counted from the index alone.
  await schema
    .createIndex('submissions_day')
    .on('submissions')
    .columns(['board_id', 'created_at', 'player_id'])
    .execute();
}
