import type { Kysely } from 'kysely';
import { countingId, keptByKey } from '../dialect.ts';

/** Boards and their rankings, achievements, bans, the secret, player keys, the sandbox's stores. Meanings: ../schema.ts. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('boards')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('metric', 'text', (column) => column.notNull())
    .addColumn('sort', 'text', (column) => column.notNull())
    .addColumn('trust', 'text', (column) => column.notNull())
    .addColumn('keep', 'text', (column) => column.notNull())
    .addColumn('unit', 'text')
    .addColumn('decimals', 'integer', (column) => column.notNull())
    .addColumn('min', 'double precision')
    .addColumn('max', 'double precision')
    .addColumn('periods', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('boards_key', ['space_id', 'env', 'key'])
    .execute();

  await schema
    .createTable('submissions')
    .addColumn('id', ...countingId(db))
    .addColumn('board_id', 'text', (column) => column.notNull().references('boards.id').onDelete('cascade'))
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('score', 'double precision', (column) => column.notNull())
    .addColumn('meta', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('submissions_player')
    .on('submissions')
    .columns(['board_id', 'player_id', 'id'])
    .execute();

  await schema
    .createTable('rankings')
    .addColumn('id', ...countingId(db))
    .addColumn('board_id', 'text', (column) => column.notNull().references('boards.id').onDelete('cascade'))
    .addColumn('window', 'text', (column) => column.notNull())
    .addUniqueConstraint('rankings_window', ['board_id', 'window'])
    .execute();
  await schema
    .createTable('entries')
    .addColumn('ranking_id', 'bigint', (column) =>
      column.notNull().references('rankings.id').onDelete('cascade'),
    )
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('sort_key', 'double precision', (column) => column.notNull())
    .addColumn('submission_id', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('entries_player', ['ranking_id', 'player_id'])
    .modifyEnd(keptByKey(db))
    .execute();
  await schema
    .createIndex('entries_rank')
    .on('entries')
    .columns(['ranking_id', 'sort_key', 'submission_id'])
    .execute();

  await schema
    .createTable('ranking_segments')
    .addColumn('ranking_id', 'bigint', (column) =>
      column.notNull().references('rankings.id').onDelete('cascade'),
    )
    .addColumn('level', 'integer', (column) => column.notNull())
    .addColumn('low_key', 'double precision', (column) => column.notNull())
    .addColumn('low_id', 'bigint', (column) => column.notNull())
    .addColumn('n', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('ranking_segments_low', ['ranking_id', 'level', 'low_key', 'low_id'])
    .modifyEnd(keptByKey(db))
    .execute();

  await schema
    .createTable('bans')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('banned_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('bans_player', ['space_id', 'player_id'])
    .execute();

  await schema
    .createTable('board_secrets')
    .addColumn('space_id', 'text', (column) =>
      column.primaryKey().references('spaces.id').onDelete('cascade'),
    )
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('rotated_at', 'bigint')
    .execute();

  await schema
    .createTable('idempotent_answers')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotent_answers_key', ['space_id', 'key'])
    .execute();
  await schema.createIndex('idempotent_answers_age').on('idempotent_answers').column('created_at').execute();

  await schema
    .createTable('stats')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('op', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('stats_key', ['space_id', 'env', 'key'])
    .execute();
  await schema
    .createTable('achievements')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('trigger_stat', 'text')
    .addColumn('trigger_at_least', 'double precision')
    .addColumn('icon', 'text')
    .addColumn('hidden', 'integer', (column) => column.notNull())
    .addColumn('points', 'integer', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('unlocks', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('achievements_key', ['space_id', 'env', 'key'])
    .execute();
  await schema
    .createTable('player_stats')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('value', 'double precision', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('player_stats_player', ['space_id', 'env', 'key', 'player_id'])
    .execute();
  await schema
    .createTable('unlocks')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('unlocked_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('unlocks_player', ['space_id', 'env', 'key', 'player_id'])
    .execute();

  await schema
    .createTable('player_keys')
    .addColumn('kid', 'text', (column) => column.primaryKey())
    .addColumn('private_jwk', 'text', (column) => column.notNull())
    .addColumn('public_jwk', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('signs_from', 'bigint', (column) => column.notNull().unique())
    .execute();

  for (const store of ['saves', 'content', 'rooms']) {
    await schema
      .createTable(store)
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
      .addColumn('env', 'text', (column) => column.notNull())
      .addColumn('player_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createIndex(`${store}_space`)
      .on(store)
      .columns(['space_id', 'env', 'player_id', 'key'])
      .execute();
  }
}
