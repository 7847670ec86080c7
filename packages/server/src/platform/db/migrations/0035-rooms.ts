import type { Kysely } from 'kysely';

/** Rooms that players meet in, the processes that have them, and tickets to them. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  // Nothing was ever written to the earlier table.
  await schema.dropTable('rooms').execute();
  await schema
    .createTable('rooms')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('player_id', 'text')
    .addColumn('code', 'text', (column) => column.notNull().unique())
    .addColumn('max_members', 'bigint', (column) => column.notNull())
    .addColumn('is_open', 'bigint', (column) => column.notNull())
    .addColumn('is_locked', 'bigint', (column) => column.notNull())
    .addColumn('member_count', 'bigint', (column) => column.notNull())
    .addColumn('members', 'text', (column) => column.notNull())
    .addColumn('node_id', 'text', (column) => column.notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('rooms_space').on('rooms').columns(['space_id', 'env', 'player_id']).execute();
  await schema.createIndex('rooms_of_player').on('rooms').columns(['player_id', 'space_id']).execute();
  await schema.createIndex('rooms_node').on('rooms').column('node_id').execute();
  await schema
    .createTable('room_nodes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('room_tickets')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('room_id', 'text', (column) => column.notNull().references('rooms.id').onDelete('cascade'))
    .addColumn('who', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('room_tickets_room').on('room_tickets').column('room_id').execute();
  await schema.createIndex('room_tickets_end').on('room_tickets').column('expires_at').execute();
}
