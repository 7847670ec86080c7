import type { Kysely } from 'kysely';
import { countingId } from '../dialect.ts';

/**
 * Boards that are being ranked anew while their old rankings are still used. Column meanings: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('boards').addColumn('ranked_as', 'text').execute();
  await schema
    .createTable('rerank_changes')
    .addColumn('id', ...countingId(db))
    .addColumn('board_id', 'text', (column) => column.notNull().references('boards.id').onDelete('cascade'))
    .addColumn('player_id', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('rerank_changes_board').on('rerank_changes').columns(['board_id', 'id']).execute();
}
