import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { AchievementRow, AchievementSettings, StatRow, StatSettings } from './settings.ts';

/** Returns a space's stats in the order in which they were declared. */
export async function findStats(db: Db, spaceId: SpaceId, env: Env): Promise<StatRow[]> {
  return db
    .selectFrom('stats')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .orderBy('position')
    .orderBy('key')
    .execute();
}

/** Returns a space's achievements in the order in which they were declared. */
export async function findAchievements(db: Db, spaceId: SpaceId, env: Env): Promise<AchievementRow[]> {
  return db
    .selectFrom('achievements')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .orderBy('position')
    .orderBy('key')
    .execute();
}

/** Names a stat or an achievement of a space. */
interface Named {
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly key: string;
}

export async function insertStat(tx: Tx, row: StatRow): Promise<void> {
  await tx.db.insertInto('stats').values(row).execute();
}

export async function updateStat(tx: Tx, { spaceId, env, key }: Named, change: StatSettings): Promise<void> {
  await tx.db
    .updateTable('stats')
    .set(change)
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', key)
    .execute();
}

export async function insertAchievement(tx: Tx, row: AchievementRow): Promise<void> {
  await tx.db.insertInto('achievements').values(row).execute();
  announceShown(tx, `won:${row.space_id}`);
}

export async function updateAchievement(
  tx: Tx,
  { spaceId, env, key }: Named,
  change: AchievementSettings,
): Promise<void> {
  await tx.db
    .updateTable('achievements')
    .set(change)
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', key)
    .execute();
  announceDeclared(tx, spaceId);
}

/**
 * Deletes a stat with every player's value. Returns how many values there were; null if there is no such
 * stat. The caller holds `lockProgress`.
 */
export function dropStat(tx: Tx, named: Named): Promise<number | null> {
  return dropDeclared(tx, named, { declared: 'stats', earned: 'player_stats' });
}

/** Like `dropStat`, for an achievement with its unlocks. */
export function dropAchievement(tx: Tx, named: Named): Promise<number | null> {
  return dropDeclared(tx, named, { declared: 'achievements', earned: 'unlocks' });
}

async function dropDeclared(
  tx: Tx,
  { spaceId, env, key }: Named,
  tables: { declared: 'stats' | 'achievements'; earned: 'player_stats' | 'unlocks' },
): Promise<number | null> {
  const deleteFrom = async (table: (typeof tables)[keyof typeof tables]) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom(table)
      .where('space_id', '=', spaceId)
      .where('env', '=', env)
      .where('key', '=', key)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };
  const declared = await deleteFrom(tables.declared);
  const earned = await deleteFrom(tables.earned);
  announceDeclared(tx, spaceId);
  return declared === 0 ? null : earned;
}

/** Announces that an achievement that players may have was changed or deleted. */
function announceDeclared(tx: Tx, spaceId: SpaceId): void {
  announceShown(tx, `won:${spaceId}`);
  announceShown(tx, 'played:*');
}

/**
 * Returns what a player has unlocked, the newest first; null for a player who is banned from
 * the space or the service.
 */
export async function findUnlocksOf(
  db: Db,
  spaceId: SpaceId,
  playerId: AccountId,
): Promise<{ key: string; unlocked_at: number }[] | null> {
  const rows = await db
    .selectFrom('creators as player')
    .leftJoin('unlocks', (join) =>
      join
        .onRef('unlocks.player_id', '=', 'player.id')
        .on('unlocks.space_id', '=', spaceId)
        .on('unlocks.env', '=', 'live'),
    )
    .leftJoin('bans', (join) =>
      join.onRef('bans.player_id', '=', 'player.id').on('bans.space_id', '=', spaceId),
    )
    .select(['unlocks.key', 'unlocks.unlocked_at'])
    .where('player.id', '=', playerId)
    .where('player.banned_at', 'is', null)
    .where('bans.player_id', 'is', null)
    .orderBy('unlocks.unlocked_at', 'desc')
    .orderBy('unlocks.key')
    .execute();
  if (rows.length === 0) return null;
  return rows.flatMap(({ key, unlocked_at }) =>
    key === null || unlocked_at === null ? [] : [{ key, unlocked_at }],
  );
}
