import { maxScore } from '@spaceport/contract/declarations';
import { sql } from 'kysely';
import { forKeyShare } from '../platform/db/dialect.ts';
import type { Env, Tx } from '../platform/db/schema.ts';
import type { StatRow } from './settings.ts';

/** A space's live data or its sandbox. */
export interface Store {
  readonly spaceId: string;
  readonly env: Env;
}

/** What a write of a stat has to know. */
export interface WatchedStat {
  readonly op: StatRow['op'];
  /** The achievements whose triggers name it. */
  readonly triggers: readonly { readonly key: string; readonly atLeast: number }[];
}

/** The stat, which nobody deletes until the transaction ends; null where there is none. */
export async function holdStat(tx: Tx, { spaceId, env }: Store, key: string): Promise<WatchedStat | null> {
  const stat = await tx
    .selectFrom('stats')
    .select('op')
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', key)
    .modifyEnd(forKeyShare(tx))
    .executeTakeFirst();
  if (!stat) return null;
  const triggers = await tx
    .selectFrom('achievements')
    .select(['key', 'trigger_at_least'])
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('trigger_stat', '=', key)
    .orderBy('position')
    .modifyEnd(forKeyShare(tx))
    .execute();
  return {
    op: stat.op,
    triggers: triggers.flatMap((row) =>
      row.trigger_at_least === null ? [] : [{ key: row.key, atLeast: row.trigger_at_least }],
    ),
  };
}

/** Is there such an achievement? If so nobody deletes it until the transaction ends. */
export async function holdAchievement(tx: Tx, { spaceId, env }: Store, key: string): Promise<boolean> {
  const row = await tx
    .selectFrom('achievements')
    .select('key')
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', key)
    .modifyEnd(forKeyShare(tx))
    .executeTakeFirst();
  return row !== undefined;
}

const valueAfter = {
  set: sql<number>`excluded.value`,
  add: sql<number>`player_stats.value + excluded.value`,
  max: sql<number>`case when excluded.value > player_stats.value then excluded.value else player_stats.value end`,
};

/** Writes a player's stat in one statement; answers its new value, or null where that would leave ±2^53. */
export async function writeValue(
  tx: Tx,
  { spaceId, env }: Store,
  write: { key: string; op: StatRow['op']; playerId: string; value: number },
  now: number,
): Promise<number | null> {
  const after = valueAfter[write.op];
  const row = await tx
    .insertInto('player_stats')
    .values({
      space_id: spaceId,
      env,
      key: write.key,
      player_id: write.playerId,
      value: write.value,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['space_id', 'env', 'key', 'player_id'])
        .doUpdateSet({ value: after, updated_at: now })
        .where(sql`abs(${after})`, '<=', maxScore),
    )
    .returning('value')
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Unlocks for a player what of this is not unlocked yet, and answers that. Whoever else tries at once gets none of it. */
export async function insertUnlocks(
  tx: Tx,
  { spaceId, env }: Store,
  playerId: string,
  keys: readonly string[],
  now: number,
): Promise<string[]> {
  const rows = await tx
    .insertInto('unlocks')
    .values(keys.map((key) => ({ space_id: spaceId, env, key, player_id: playerId, unlocked_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .execute();
  return rows.map(({ key }) => key);
}

export async function findUnlockedAt(
  tx: Tx,
  { spaceId, env }: Store,
  playerId: string,
  key: string,
): Promise<number | null> {
  const row = await tx
    .selectFrom('unlocks')
    .select('unlocked_at')
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', key)
    .where('player_id', '=', playerId)
    .executeTakeFirst();
  return row?.unlocked_at ?? null;
}

/** Counts players who have an achievement now. */
export async function countUnlocks(
  tx: Tx,
  { spaceId, env }: Store,
  key: string,
  added: number,
): Promise<void> {
  await tx
    .updateTable('achievements')
    .set({ unlocks: sql<number>`unlocks + ${sql.lit(added)}` })
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', key)
    .execute();
}
