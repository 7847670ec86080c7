import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { EarnedTable, Named } from './earned-rows.queries.ts';
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

type DeclaredTable = 'stats' | 'achievements';

export async function isDeclared(
  tx: Tx,
  table: DeclaredTable,
  { spaceId, env, key }: Named,
): Promise<boolean> {
  const row = await tx.db
    .selectFrom(table)
    .select('key')
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a stat or an achievement, without what players have of it. Returns false if there is none. */
export async function deleteDeclared(
  tx: Tx,
  table: DeclaredTable,
  { spaceId, env, key }: Named,
): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom(table)
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', key)
    .executeTakeFirst();
  announceDeclared(tx, spaceId);
  return numDeletedRows > 0n;
}

/**
 * Deletes a stat with every player's value, or an achievement with its unlocks. Returns how many of these there were; null
 * if there is no such thing. The caller holds `lockProgress`.
 */
export async function dropDeclared(
  tx: Tx,
  named: Named,
  tables: { declared: DeclaredTable; earned: EarnedTable },
): Promise<number | null> {
  const isThere = await deleteDeclared(tx, tables.declared, named);
  const { numDeletedRows } = await tx.db
    .deleteFrom(tables.earned)
    .where('space_id', '=', named.spaceId)
    .where('env', '=', named.env)
    .where('key', '=', named.key)
    .executeTakeFirst();
  return isThere ? Number(numDeletedRows) : null;
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
        .on('unlocks.env', '=', 'live')
        // Of one that was deleted, a job may still delete what players had.
        .on(({ exists, selectFrom }) =>
          exists(
            selectFrom('achievements')
              .select('achievements.key')
              .whereRef('achievements.space_id', '=', 'unlocks.space_id')
              .whereRef('achievements.env', '=', 'unlocks.env')
              .whereRef('achievements.key', '=', 'unlocks.key'),
          ),
        ),
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
