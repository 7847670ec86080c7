import { sql } from 'kysely';
import { lockAll, oneOf, rowsOf, rowsOfList } from '../platform/db/dialect.ts';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, preparedForEach } from '../platform/db/prepared.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';
import { mustAt } from '../platform/must.ts';
import { type Progress, type ProgressName, progressKey } from './progress.ts';
import type { StatRow } from './settings.ts';

/**
 * Returns the name of the lock that `lockProgress` takes, for code that takes it together with other locks.
 */
export function progressLock(spaceId: SpaceId): string {
  return `progress:${spaceId}`;
}

/**
 * Locks the stats and unlocks of this space until the transaction ends: nobody else writes or deletes them.
 * If the lock of the rankings is needed too, take it before this one.
 */
export async function lockProgress(tx: Tx, spaceId: SpaceId): Promise<void> {
  await lockAll(tx, [progressLock(spaceId)]);
}

/** Like `lockProgress`, for several spaces. */
export async function lockProgressOf(tx: Tx, spaceIds: readonly SpaceId[]): Promise<void> {
  await lockAll(tx, [...new Set(spaceIds)].map(progressLock));
}

/** Returns the stats of these spaces with these keys, live and in the sandbox. */
export async function findStatsOf(
  tx: Tx,
  spaceIds: readonly SpaceId[],
  keys: readonly string[],
): Promise<Pick<StatRow, 'space_id' | 'env' | 'key' | 'op'>[]> {
  return tx.db
    .selectFrom('stats')
    .select(['space_id', 'env', 'key', 'op'])
    .where('space_id', 'in', oneOf(tx.db, spaceIds))
    .where('key', 'in', oneOf(tx.db, keys))
    .execute();
}

/** Returns the achievements that these stats trigger, in the order in which they were declared. */
export async function findTriggersOf(
  tx: Tx,
  spaceIds: readonly SpaceId[],
  stats: readonly string[],
): Promise<{ space_id: SpaceId; env: Env; key: string; stat: string | null; at_least: number | null }[]> {
  return tx.db
    .selectFrom('achievements')
    .select(['space_id', 'env', 'key', 'trigger_stat as stat', 'trigger_at_least as at_least'])
    .where('space_id', 'in', oneOf(tx.db, spaceIds))
    .where('trigger_stat', 'in', oneOf(tx.db, stats))
    .orderBy('position')
    .execute();
}

/** Returns the achievements of these spaces with these keys, live and in the sandbox. */
export async function findAchievementsOf(
  tx: Tx,
  spaceIds: readonly SpaceId[],
  keys: readonly string[],
): Promise<{ space_id: SpaceId; env: Env; key: string }[]> {
  return tx.db
    .selectFrom('achievements')
    .select(['space_id', 'env', 'key'])
    .where('space_id', 'in', oneOf(tx.db, spaceIds))
    .where('key', 'in', oneOf(tx.db, keys))
    .execute();
}

/** Makes a table `p` of `space`, `env`, `key` and `player` from the names. */
function asTable(tx: Tx, names: readonly ProgressName[]) {
  const rows = new Map(
    names.map((name) => [progressKey(name), [name.spaceId, name.env, name.key, name.playerId]]),
  );
  const given = rowsOf(tx.db, [...rows.values()], 4);
  return sql`p as materialized (select c0 as space, c1 as env, c2 as key, c3 as player from ${given} as given)`;
}

/** Returns these values, in one statement. */
export async function findValues(tx: Tx, names: readonly ProgressName[]): Promise<Progress['values']> {
  if (names.length === 0) return new Map();
  const { rows } = await sql<Row & { value: number }>`
    with ${asTable(tx, names)}
    select t.space_id, t.env, t.key, t.player_id, t.value from p cross join player_stats as t
    where t.space_id = p.space and t.env = p.env and t.key = p.key and t.player_id = p.player`.execute(tx.db);
  return new Map(
    rows.map((row) => {
      const name = toName(row);
      return [progressKey(name), { ...name, value: row.value }];
    }),
  );
}

/** Returns the unlocks among these, with their instants, in one statement. */
export async function findUnlocks(tx: Tx, names: readonly ProgressName[]): Promise<Progress['unlocks']> {
  if (names.length === 0) return new Map();
  const { rows } = await sql<Row & { unlocked_at: number }>`
    with ${asTable(tx, names)}
    select t.space_id, t.env, t.key, t.player_id, t.unlocked_at from p cross join unlocks as t
    where t.space_id = p.space and t.env = p.env and t.key = p.key and t.player_id = p.player`.execute(tx.db);
  return new Map(
    rows.map((row) => {
      const name = toName(row);
      return [progressKey(name), { ...name, unlockedAt: row.unlocked_at }];
    }),
  );
}

interface Row {
  readonly space_id: SpaceId;
  readonly env: Env;
  readonly key: string;
  readonly player_id: PlayerId;
}

function toName({ space_id, env, key, player_id }: Row): ProgressName {
  return { spaceId: space_id, env, key, playerId: player_id };
}

/**
 * Replaces values, adds new unlocks, and updates the count of live unlocks of each achievement. The caller
 * holds the spaces' locks.
 */
export async function putProgress(tx: Tx, { values, unlocks }: Progress, now: number): Promise<void> {
  if (values.size > 0) {
    const given = rowsOf(
      tx.db,
      Array.from(values.values(), (one) => [one.spaceId, one.env, one.key, one.playerId, one.value]),
      5,
    );
    await sql`
      insert into player_stats (space_id, env, key, player_id, value, updated_at)
      select c0, c1, c2, c3, cast(c4 as double precision), cast(${now} as bigint) from ${given} as given where true
      on conflict (space_id, env, key, player_id)
        do update set value = excluded.value, updated_at = excluded.updated_at`.execute(tx.db);
  }
  if (unlocks.size === 0) return;
  const given = rowsOf(
    tx.db,
    Array.from(unlocks.values(), (one) => [one.spaceId, one.env, one.key, one.playerId, one.unlockedAt]),
    5,
  );
  await sql`
    insert into unlocks (space_id, env, key, player_id, unlocked_at)
    select c0, c1, c2, c3, cast(c4 as bigint) from ${given} as given`.execute(tx.db);
  const live = [...unlocks.values()].filter(({ env }) => env === 'live');
  for (const unlock of live) announceProgress(tx, unlock);
  const groups = Map.groupBy(live, ({ spaceId, key }) => `${spaceId} ${key}`);
  const counts = Array.from(groups.values(), (group) => {
    const { spaceId, key } = mustAt(group, 0);
    return [spaceId, key, group.length];
  });
  if (counts.length > 0) await addUnlocks(tx.db, { rows: listOf(counts) });
}

const addUnlocks = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql`
    with p as materialized (
      select c0 as space, c1 as of_key, cast(c2 as bigint) as change
      from ${rowsOfList(db, rows, ['text', 'text', 'bigint'])} as given)
    update achievements set unlocks = unlocks + p.change from p
    where space_id = p.space and env = 'live' and key = p.of_key`,
);

/**
 * Removes a player from the counts of a space's achievements, or adds the player again; doing the same again changes
 * nothing. Banned players are not counted. The caller holds the space's lock.
 */
export async function countPlayer(
  tx: Tx,
  { spaceId, playerId }: { spaceId: SpaceId; playerId: PlayerId },
  isCounted: boolean,
): Promise<void> {
  const before = isCounted ? 0 : 1;
  await tx.db
    .updateTable('achievements')
    .set({ unlocks: sql<number>`unlocks + ${sql.lit(isCounted ? 1 : -1)}` })
    .where('space_id', '=', spaceId)
    .where('env', '=', 'live')
    .where((where) =>
      where.exists(
        where
          .selectFrom('unlocks')
          .select('unlocks.key')
          .whereRef('unlocks.space_id', '=', 'achievements.space_id')
          .whereRef('unlocks.env', '=', 'achievements.env')
          .whereRef('unlocks.key', '=', 'achievements.key')
          .where('unlocks.player_id', '=', playerId)
          .where('unlocks.counted', '=', before),
      ),
    )
    .execute();
  await tx.db
    .updateTable('unlocks')
    .set({ counted: isCounted ? 1 : 0 })
    .where('space_id', '=', spaceId)
    .where('env', '=', 'live')
    // Each row is found by its whole key.
    .where('key', 'in', (from) =>
      from.selectFrom('achievements').select('key').where('space_id', '=', spaceId).where('env', '=', 'live'),
    )
    .where('player_id', '=', playerId)
    .where('counted', '=', before)
    .execute();
  announceProgress(tx, { spaceId, playerId });
}

/** Returns the spaces in which a player has unlocked anything. */
export async function findSpacesWithUnlocks(db: Db, playerId: PlayerId): Promise<SpaceId[]> {
  const rows = await db
    .selectFrom('unlocks')
    .select('space_id')
    .distinct()
    .where('player_id', '=', playerId)
    .where('env', '=', 'live')
    .orderBy('space_id')
    .execute();
  return rows.map(({ space_id }) => space_id);
}

function announceProgress(tx: Tx, { spaceId, playerId }: Pick<ProgressName, 'spaceId' | 'playerId'>): void {
  announceShown(tx, `won:${spaceId}`);
  announceShown(tx, `played:${playerId}`);
}
