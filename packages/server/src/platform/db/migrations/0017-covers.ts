import type { Kysely } from 'kysely';

/** Pictures that owners uploaded. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('spaces').addColumn('cover', 'text').execute();
  await schema
    .createTable('covers')
    .addColumn('space_id', 'text', (column) =>
      column.primaryKey().references('spaces.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .addColumn('key_small', 'text', (column) => column.notNull().unique())
    .execute();
}
