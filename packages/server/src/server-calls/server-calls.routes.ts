import {
  type AchievementPost,
  type AchievementResult,
  postScores,
  postStats,
  type ScorePost,
  type ScoreResult,
  type StatPost,
  type StatResult,
  unlockAchievement,
} from '@spaceport/contract/server-calls';
import { progressLock } from '../achievements/achievements.ts';
import * as achievements from '../achievements/post-stats.ts';
import { unlockAchievements } from '../achievements/unlock-achievements.ts';
import { rankingsLock } from '../boards/change-entries.ts';
import * as boards from '../boards/post-scores.ts';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import type { Players } from '../players/players.ts';
import { createCallLimits } from './call-limits.ts';
import { requireSpaceCaller } from './caller-space.ts';
import { groupCalls } from './grouped-calls.ts';
import { readIdempotencyKey } from './idempotency.ts';

/** Binds the calls that a space's own server makes with its secret. */
export function bindServerCalls(binder: Binder, platform: Platform, players: Players): void {
  const limits = createCallLimits(platform);

  const scores = groupCalls<ScorePost, ScoreResult>(platform, players, limits, {
    list: 'scores',
    status: 201,
    lockOf: rankingsLock,
    write: (tx, calls) =>
      boards.postScores(
        tx,
        calls.map(({ spaceId, posts }) => ({
          spaceId,
          scores: posts.map(({ board, meta, ...post }) => ({ ...post, meta, boardKey: board })),
        })),
      ),
  });
  binder.bindAhead(postScores, async ({ caller, body, headers }) => {
    const space = requireSpaceCaller(caller);
    const isBatch = 'scores' in body;
    const posts = { posts: isBatch ? body.scores : [body], isBatch };
    return scores.make(space, posts, readIdempotencyKey(headers, space.spaceId, postScores.id, body));
  });

  const stats = groupCalls<StatPost, StatResult>(platform, players, limits, {
    list: 'stats',
    status: 200,
    lockOf: progressLock,
    write: achievements.postStats,
  });
  binder.bindAhead(postStats, async ({ caller, body, headers }) => {
    const space = requireSpaceCaller(caller);
    const isBatch = 'stats' in body;
    const posts = { posts: isBatch ? body.stats : [body], isBatch };
    return stats.make(space, posts, readIdempotencyKey(headers, space.spaceId, postStats.id, body));
  });

  const unlocks = groupCalls<AchievementPost, AchievementResult>(platform, players, limits, {
    list: 'achievements',
    status: 200,
    lockOf: progressLock,
    write: unlockAchievements,
  });
  binder.bindAhead(unlockAchievement, async ({ caller, body, headers }) => {
    const space = requireSpaceCaller(caller);
    const key = readIdempotencyKey(headers, space.spaceId, unlockAchievement.id, body);
    const answer = await unlocks.make(space, { posts: [body], isBatch: false }, key);
    // This call is never a batch, so its body is a single result.
    return { ...answer, body: answer.body as AchievementResult };
  });
}
