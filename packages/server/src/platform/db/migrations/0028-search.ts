import type { Kysely } from 'kysely';
import { countingId, createTokenIndex, keptByKey } from '../dialect.ts';

/**
 * The tables of the search and of tags. The service fills them when it starts, also after a restore:
 * search/fill.ts. Column meanings: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable('spaces')
    .addColumn('tags', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  await schema.alterTable('spaces').dropColumn('search_description').execute();

  await schema
    .createTable('search_docs')
    .addColumn('id', ...countingId(db))
    .addColumn('space_id', 'text', (column) =>
      column.notNull().unique().references('spaces.id').onDelete('cascade'),
    )
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('names', 'text', (column) => column.notNull())
    .execute();
  await createTokenIndex(db);

  await schema
    .createTable('search_labels')
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('search_labels_key', ['label', 'created_at', 'space_id'])
    .modifyEnd(keptByKey(db))
    .execute();
  await schema.createIndex('search_labels_space').on('search_labels').column('space_id').execute();
  await schema
    .createTable('search_state')
    .addColumn('rules', 'integer', (column) => column.primaryKey())
    .execute();
}
