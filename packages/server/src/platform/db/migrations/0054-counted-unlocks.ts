import { type Kysely, sql } from 'kysely';

/**
 * Marks unlocks that are in no count, of players whom the creator of the space has banned. Column meanings: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('unlocks')
    .addColumn('counted', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  await sql`
    update unlocks set counted = 0
    where exists (select 1 from bans where bans.space_id = unlocks.space_id and bans.player_id = unlocks.player_id)
  `.execute(db);
}
