import { type Kysely, sql } from 'kysely';
import { keptByKey } from '../dialect.ts';

/** Tables and indexes that replace reads of tables that grow with the service. Meaning: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('board_players')
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('board_id', 'text', (column) => column.notNull().references('boards.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('board_players_key', ['player_id', 'board_id'])
    .modifyEnd(keptByKey(db))
    .execute();
  await sql`
    insert into board_players (player_id, board_id) select distinct player_id, board_id from submissions`.execute(
    db,
  );
  await schema.createIndex('board_players_board').on('board_players').column('board_id').execute();

  await schema.createIndex('bans_of_player').on('bans').column('player_id').execute();
  // Few accounts are banned: the index has only those.
  await sql`create index creators_banned on creators (id) where banned_at is not null`.execute(db);
  // Nearly every version is live: with an index on the status alone, SQLite would read the versions of all
  // spaces.
  await schema.createIndex('versions_of_space').on('versions').columns(['space_id', 'status']).execute();
  await schema.dropIndex('reports_space').execute();
  await schema.createIndex('reports_of_space').on('reports').columns(['space_id', 'state']).execute();
}
