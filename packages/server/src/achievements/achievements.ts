import type { Achievement, Stat } from '@spaceport/contract/achievements';
import { maxAchievements, maxStats } from '@spaceport/contract/declarations';
import type { PublicAchievement } from '@spaceport/contract/gallery';
import type { Platform } from '../platform/context.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { tooMany } from '../platform/limits/fit-keys.ts';
import { lockOwnSpace } from '../spaces/lock-own-space.ts';
import { ownView } from '../spaces/space-view.ts';
import { findAchievements, findStats } from './achievements.queries.ts';
import {
  type AchievementDeclarations,
  type AchievementPlan,
  planAchievements,
  writeAchievements,
} from './declare-achievements.ts';
import { drop, type Earnable, prepareDrop } from './drop-earned.ts';
import { lockProgress } from './progress.queries.ts';
import { toAchievement, toPublicAchievement, toStat } from './settings.ts';

export { findAchievements, findUnlocksOf, isDeclared } from './achievements.queries.ts';
export { findEarned, findUnlocksIn } from './earned.queries.ts';
export {
  countPlayer,
  findSpacesWithUnlocks,
  lockProgress,
  lockProgressOf,
  progressLock,
} from './progress.queries.ts';
export { toPublicAchievement } from './settings.ts';

/** A space's live stats and achievements, in the order in which they were declared. */
export interface DeclaredAchievements {
  readonly stats: Stat[];
  readonly achievements: Achievement[];
}

async function readDeclared(db: Db, spaceId: SpaceId): Promise<DeclaredAchievements> {
  return {
    stats: (await findStats(db, spaceId, 'live')).map(toStat),
    achievements: (await findAchievements(db, spaceId, 'live')).map(toAchievement),
  };
}

/**
 * Returns the live stats and achievements of one of the caller's spaces.
 * @throws `not_found`
 */
export async function readOwnAchievements(
  { database: { db } }: Platform,
  caller: CreatorCaller,
  slug: string,
): Promise<DeclaredAchievements> {
  const { id } = await ownView(db, slug, caller);
  return readDeclared(db, id);
}

/** Returns a space's achievements as anyone reads them. */
export async function readPublicAchievements(
  db: Db,
  spaceId: SpaceId,
  env: Env = 'live',
): Promise<PublicAchievement[]> {
  return (await findAchievements(db, spaceId, env)).map(toPublicAchievement);
}

/**
 * Adds or replaces the declared stats and achievements. Returns all stats and achievements of the space.
 * @throws `not_found`, `too_many` and `unknown_stat`
 */
export async function putAchievements(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  declared: AchievementDeclarations,
): Promise<DeclaredAchievements> {
  return platform.database.transaction(async (tx) => {
    const { id } = await lockOwnSpace(tx, slug, caller);
    requireWhole(await planAchievements(tx.db, id, declared));
    await writeAchievements(tx, id, declared, { source: 'api', env: 'live' });
    return readDeclared(tx.db, id);
  });
}

function requireWhole({ stats, achievements, unknownStats }: AchievementPlan): void {
  if (stats.over.length > 0) throw tooMany('stats', maxStats, stats.wanted);
  if (achievements.over.length > 0) throw tooMany('achievements', maxAchievements, achievements.wanted);
  const [first] = unknownStats;
  if (!first) return;
  throw new ServiceError(
    'unknown_stat',
    `A trigger names «${first.stat}», which is not a stat of the space.`,
    {
      issues: unknownStats.map(({ index, stat }) => ({
        path: `achievements.${index}.trigger.stat`,
        message: `names «${stat}», which is not a stat of the space`,
      })),
    },
  );
}

/**
 * Deletes a stat with every player's value, in the sandbox too. Returns how many live values were deleted.
 * @throws `not_found`, and `conflict` while a trigger names it
 */
export async function deleteStat(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  key: string,
): Promise<number> {
  return deleteDeclared(platform, caller, slug, {
    declared: 'stats',
    key,
    async requireFree(tx, id) {
      const needs = (await findAchievements(tx.db, id, 'live')).find(
        ({ trigger_stat }) => trigger_stat === key,
      );
      if (!needs) return;
      const message = `The trigger of the achievement «${needs.key}» names «${key}»; change or delete that first.`;
      throw new ServiceError('conflict', message, { achievement: needs.key });
    },
  });
}

/**
 * Deletes an achievement with its unlocks, in the sandbox too. Returns how many live unlocks were deleted.
 * @throws `not_found`
 */
export async function deleteAchievement(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  key: string,
): Promise<number> {
  return deleteDeclared(platform, caller, slug, { declared: 'achievements', key });
}

interface Dropped {
  readonly declared: Earnable;
  readonly key: string;
  /** Refuses what must not be deleted. */
  readonly requireFree?: (tx: Tx, spaceId: SpaceId) => Promise<void>;
}

async function deleteDeclared(
  { database }: Platform,
  caller: CreatorCaller,
  slug: string,
  { declared, key, requireFree }: Dropped,
): Promise<number> {
  const lockFree = async (tx: Tx) => {
    const { id } = await lockOwnSpace(tx, slug, caller);
    await lockProgress(tx, id);
    await requireFree?.(tx, id);
    return id;
  };
  const spaceId = await database.transaction(lockFree);
  const before = await prepareDrop({ database }, declared, { spaceId, key });
  return database.transaction(async (tx) => {
    const id = await lockFree(tx);
    const live = await drop(tx, declared, { spaceId: id, env: 'live', key });
    const sandbox = await drop(tx, declared, { spaceId: id, env: 'sandbox', key });
    const what = declared === 'stats' ? 'stat' : 'achievement';
    if (live === null && sandbox === null)
      throw new ServiceError('not_found', `There is no ${what} «${key}» on «${slug}».`);
    return live === 'many' ? before.live : (live ?? 0);
  });
}
