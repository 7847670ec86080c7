import { type Kysely, sql } from 'kysely';

/** Deleted accounts, and indexes that find what a player has. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('creators').addColumn('deleted_at', 'bigint').execute();
  await schema
    .createTable('spent_handles')
    .addColumn('handle', 'text', (column) => column.primaryKey())
    .execute();
  for (const table of ['player_stats', 'unlocks', 'saves', 'content', 'rooms'])
    await schema.createIndex(`${table}_of_player`).on(table).columns(['player_id', 'space_id']).execute();
  // Bans from the time before they hid the account's spaces.
  await sql`update spaces set owner_banned = 1
    where owner_id in (select id from creators where banned_at is not null)`.execute(db);
  await sql`update spaces set standing = state, state = 'hidden'
    where owner_banned = 1 and state in ('listed', 'unlisted')`.execute(db);
}
