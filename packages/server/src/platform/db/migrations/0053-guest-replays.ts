import type { Kysely } from 'kysely';

/** Keeps replays of guests' scores until an account adopts the guest. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('guest_replays')
    .addColumn('guest_id', 'text', (column) => column.notNull())
    .addColumn('board_id', 'text', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('guest_replays_key', ['guest_id', 'board_id'])
    .addForeignKeyConstraint(
      'guest_replays_score',
      ['guest_id', 'board_id'],
      'guest_scores',
      ['guest_id', 'board_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
}
