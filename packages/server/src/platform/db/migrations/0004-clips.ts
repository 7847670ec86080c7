import type { Kysely } from 'kysely';

/** Pictures of spaces, and what safety checks saw. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('clips')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('take', 'bigint', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .addColumn('key_small', 'text', (column) => column.notNull().unique())
    .addColumn('version_id', 'text')
    .addColumn('taken_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('clips_take', ['space_id', 'take'])
    .execute();
  await schema.createIndex('clips_version').on('clips').column('version_id').execute();
  await schema
    .createTable('check_pictures')
    .addColumn('version_id', 'text', (column) =>
      column.primaryKey().references('versions.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .execute();
}
