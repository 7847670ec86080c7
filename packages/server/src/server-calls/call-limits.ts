import type { Platform } from '../platform/context.ts';
import type { SpaceCaller } from '../platform/http/caller.ts';
import { SharedBuckets } from '../platform/limits/shared-buckets.ts';
import { requireTaken } from '../platform/limits/token-buckets.ts';

/** What a space's server may post in a minute, in all and of one player, whatever it posts. */
export interface CallLimits {
  /** @throws `rate_limited` */
  takeOfSpace(caller: SpaceCaller, posts: number): Promise<void>;
  /**
   * By the handle of each post's player, in lower case.
   * @throws `rate_limited`
   */
  takeOfPlayers(caller: SpaceCaller, handles: readonly string[]): Promise<void>;
}

export function createCallLimits({ config, together }: Platform): CallLimits {
  const perSpace = new SharedBuckets(together, 'calls of a space', config.SCORES_PER_MINUTE);
  const perPlayer = new SharedBuckets(together, 'calls of a player', config.PLAYER_SCORES_PER_MINUTE);
  return {
    takeOfSpace: ({ spaceId }, posts) => requireTaken([perSpace.take(spaceId, posts)]),
    takeOfPlayers: ({ spaceId }, handles) =>
      requireTaken(handles.map((handle) => perPlayer.take(`${spaceId} ${handle}`))),
  };
}
