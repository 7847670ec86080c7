import type { Kysely } from 'kysely';

/** Content that players make for each other, its likes, and reports of it. Column meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  // Nothing was ever written to the earlier table.
  await schema.dropTable('content').execute();
  await schema
    .createTable('content')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('likes', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('content_same', ['player_id', 'space_id', 'env', 'digest'])
    .execute();
  const place = ['space_id', 'env'] as const;
  for (const [name, columns] of [
    ['newest', [...place, 'kind', 'created_at', 'id']],
    ['liked', [...place, 'kind', 'likes', 'id']],
    ['all', [...place, 'created_at', 'id']],
    ['of_player', ['player_id', ...place, 'created_at', 'id']],
  ] as const)
    await schema
      .createIndex(`content_${name}`)
      .on('content')
      .columns([...columns])
      .execute();

  await schema
    .createTable('content_likes')
    .addColumn('content_id', 'text', (column) =>
      column.notNull().references('content.id').onDelete('cascade'),
    )
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('content_likes_key', ['content_id', 'player_id'])
    .execute();
  await schema.createIndex('content_likes_of_player').on('content_likes').column('player_id').execute();

  await schema.alterTable('reports').addColumn('content_id', 'text').execute();
  await schema.createIndex('reports_content').on('reports').columns(['content_id', 'state']).execute();
}
