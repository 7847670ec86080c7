import type { Kysely } from 'kysely';

/**
 * Guests with their scores and stats, saves with those that lost conflicts, and the plays of accounts. Column
 * meanings: ../schema.ts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await createGuests(db);
  await createSaves(db);
  const { schema } = db;
  await schema
    .createTable('account_plays')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('first_at', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('played_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('account_plays_key', ['account_id', 'space_id'])
    .execute();
  await schema.createIndex('account_plays_space').on('account_plays').column('space_id').execute();
  await schema
    .alterTable('creators')
    .addColumn('plays_public', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
}

async function createGuests({ schema }: Kysely<never>): Promise<void> {
  await schema
    .createTable('guests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('key_hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('opened_at', 'bigint', (column) => column.notNull())
    .addColumn('adopted_by', 'text')
    .addColumn('adopted_at', 'bigint')
    .execute();
  await schema.createIndex('guests_opened').on('guests').column('opened_at').execute();
  await schema.createIndex('guests_adopted').on('guests').column('adopted_by').execute();

  await schema
    .createTable('guest_scores')
    .addColumn('guest_id', 'text', (column) => column.notNull().references('guests.id').onDelete('cascade'))
    .addColumn('board_id', 'text', (column) => column.notNull().references('boards.id').onDelete('cascade'))
    .addColumn('score', 'double precision', (column) => column.notNull())
    .addColumn('meta', 'text')
    .addColumn('version', 'integer')
    .addColumn('session', 'text')
    .addColumn('run', 'text')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('guest_scores_key', ['guest_id', 'board_id'])
    .execute();
  await schema.createIndex('guest_scores_board').on('guest_scores').column('board_id').execute();

  await schema
    .createTable('guest_stats')
    .addColumn('guest_id', 'text', (column) => column.notNull().references('guests.id').onDelete('cascade'))
    .addColumn('space_id', 'text', (column) => column.notNull())
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('value', 'double precision', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('guest_stats_key', ['guest_id', 'space_id', 'env', 'key'])
    .addForeignKeyConstraint(
      'guest_stats_stat',
      ['space_id', 'env', 'key'],
      'stats',
      ['space_id', 'env', 'key'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await schema
    .createIndex('guest_stats_space')
    .on('guest_stats')
    .columns(['space_id', 'env', 'key'])
    .execute();

  await schema
    .createTable('guest_unlocks')
    .addColumn('guest_id', 'text', (column) => column.notNull().references('guests.id').onDelete('cascade'))
    .addColumn('space_id', 'text', (column) => column.notNull())
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('unlocked_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('guest_unlocks_key', ['guest_id', 'space_id', 'env', 'key'])
    .addForeignKeyConstraint(
      'guest_unlocks_achievement',
      ['space_id', 'env', 'key'],
      'achievements',
      ['space_id', 'env', 'key'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await schema
    .createIndex('guest_unlocks_space')
    .on('guest_unlocks')
    .columns(['space_id', 'env', 'key'])
    .execute();
}

async function createSaves({ schema }: Kysely<never>): Promise<void> {
  // Nothing was ever written to the earlier table.
  await schema.dropTable('saves').execute();
  await schema
    .createTable('saves')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('slot', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('device', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('saves_key', ['player_id', 'space_id', 'env', 'slot'])
    .execute();
  await schema.createIndex('saves_of_space').on('saves').columns(['space_id', 'env']).execute();

  await schema
    .createTable('save_counters')
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('last_version', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('save_counters_key', ['player_id', 'space_id', 'env'])
    .execute();
  await schema.createIndex('save_counters_space').on('save_counters').columns(['space_id', 'env']).execute();

  await schema
    .createTable('save_losers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('space_id', 'text', (column) => column.notNull().references('spaces.id').onDelete('cascade'))
    .addColumn('env', 'text', (column) => column.notNull())
    .addColumn('player_id', 'text', (column) => column.notNull())
    .addColumn('slot', 'text', (column) => column.notNull())
    .addColumn('lost_to', 'bigint', (column) => column.notNull())
    .addColumn('lost_at', 'bigint', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('device', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('save_losers_player')
    .on('save_losers')
    .columns(['player_id', 'space_id', 'env', 'slot'])
    .execute();
  await schema.createIndex('save_losers_space').on('save_losers').columns(['space_id', 'env']).execute();
  await schema.createIndex('save_losers_age').on('save_losers').column('lost_at').execute();
}
