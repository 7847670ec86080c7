import type { EarnedAchievement } from '@spaceport/contract/player-progress';
import { oneOf } from '../platform/db/dialect.ts';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns achievements by their keys, including hidden ones, for players who have them. */
export async function findEarned(
  tx: Tx,
  spaceId: SpaceId,
  env: Env,
  keys: readonly string[],
): Promise<Map<string, EarnedAchievement>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('achievements')
    .select(['key', 'title', 'points', 'icon'])
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', 'in', oneOf(tx.db, keys))
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Returns what a player has unlocked in an env of a space, banned or not. */
export async function findUnlocksIn(
  db: Db,
  { spaceId, env, playerId }: { spaceId: SpaceId; env: Env; playerId: PlayerId },
): Promise<{ key: string; unlocked_at: number }[]> {
  return db
    .selectFrom('unlocks')
    .select(['key', 'unlocked_at'])
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('player_id', '=', playerId)
    .execute();
}
