import type { Kysely } from 'kysely';

/** How far the search index is filled, which goes on while the service runs (search/fill.ts). Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [column, type] of [
    ['filled_by', 'integer'],
    ['filled_to', 'text'],
  ] as const)
    await db.schema.alterTable('search_state').addColumn(column, type).execute();
}
