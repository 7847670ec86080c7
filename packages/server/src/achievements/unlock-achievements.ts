import type { AchievementResult } from '@spaceport/contract/server-calls';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { findNamed, type PlayerPost } from './named-player.ts';
import { findAchievementsOf, findUnlocks, putProgress } from './progress.queries.ts';
import { addProgress, noProgress, progressKey } from './progress.ts';

export interface NewUnlock extends PlayerPost {
  readonly achievement: string;
}

/** The unlocks of one call. Either all are done, or none. */
export interface UnlockCall {
  readonly spaceId: SpaceId;
  readonly posts: readonly NewUnlock[];
}

/**
 * Unlocks achievements for players, each once, for many calls together. The caller holds the spaces'
 * `progressLock`. Returns for each call its results, or the error that it was refused with: `not_found`,
 * `no_such_player`, `banned`.
 */
export async function unlockAchievements(
  tx: Tx,
  calls: readonly UnlockCall[],
  now: number,
): Promise<(AchievementResult[] | ServiceError)[]> {
  const spaceIds = [...new Set(calls.map(({ spaceId }) => spaceId))];
  const keys = [...new Set(calls.flatMap(({ posts }) => posts.map(({ achievement }) => achievement)))];
  const declared = new Set(
    (await findAchievementsOf(tx, spaceIds, keys)).map(
      ({ space_id, env, key }) => `${space_id} ${env} ${key}`,
    ),
  );
  const named = await findNamed(tx, calls);
  const names = calls.flatMap(({ spaceId, posts }) =>
    posts.flatMap(({ env, achievement, player }) =>
      player instanceof ServiceError ? [] : { spaceId, env, key: achievement, playerId: player.playerId },
    ),
  );
  const there = { ...noProgress(), unlocks: await findUnlocks(tx, names) };
  const written = noProgress();

  const unlock = ({ spaceId, posts }: UnlockCall): AchievementResult[] | ServiceError => {
    const own = noProgress();
    const results: AchievementResult[] = [];
    for (const post of posts) {
      const { env, achievement } = post;
      if (!declared.has(`${spaceId} ${env} ${achievement}`))
        return new ServiceError('not_found', `There is no achievement «${achievement}».`);
      const player = named(spaceId, post);
      if (player instanceof ServiceError) return player;
      const name = { spaceId, env, key: achievement, playerId: player.playerId };
      const key = progressKey(name);
      const earlier = there.unlocks.get(key) ?? own.unlocks.get(key);
      if (!earlier) own.unlocks.set(key, { ...name, unlockedAt: now });
      results.push({
        achievement,
        player: player.handle,
        unlocked_at: toTimestamp(earlier?.unlockedAt ?? now),
        first: earlier === undefined,
      });
    }
    addProgress(there, own);
    addProgress(written, own);
    return results;
  };
  const answers = calls.map(unlock);
  await putProgress(tx, written, now);
  return answers;
}
