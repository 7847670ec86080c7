import * as achievements from '@spaceport/contract/achievements';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import { deleteAchievement, deleteStat, putAchievements, readOwnAchievements } from './achievements.ts';

export function bindAchievements(binder: Binder, platform: Platform): void {
  binder.bind(achievements.readAchievements, async ({ params, caller }) => ({
    body: await readOwnAchievements(platform, requireCreator(caller), params.slug),
  }));

  binder.bind(achievements.putAchievements, async ({ params, caller, body }) => ({
    body: await putAchievements(platform, requireActive(caller), params.slug, body),
  }));

  binder.bind(achievements.deleteStat, async ({ params, caller }) => ({
    body: {
      deleted: true as const,
      values: await deleteStat(platform, requireActive(caller), params.slug, params.key),
    },
  }));

  binder.bind(achievements.deleteAchievement, async ({ params, caller }) => ({
    body: {
      deleted: true as const,
      unlocks: await deleteAchievement(platform, requireActive(caller), params.slug, params.key),
    },
  }));
}
