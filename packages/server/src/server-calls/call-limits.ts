import type { Platform } from '../platform/context.ts';
import type { SpaceCaller } from '../platform/http/caller.ts';
import { requireTaken, TokenBuckets } from '../platform/limits/token-buckets.ts';

/** What a space's server may post in a minute, in all and of one player, whatever it posts. */
export interface CallLimits {
  /** @throws `rate_limited` */
  takeOfSpace(caller: SpaceCaller, posts: number): void;
  /**
   * By the handle of each post's player, in lower case.
   * @throws `rate_limited`
   */
  takeOfPlayers(caller: SpaceCaller, handles: readonly string[]): void;
}

export function createCallLimits({ config, clock }: Platform): CallLimits {
  const perSpace = new TokenBuckets(config.SCORES_PER_MINUTE, clock);
  const perPlayer = new TokenBuckets(config.PLAYER_SCORES_PER_MINUTE, clock);
  return {
    takeOfSpace({ spaceId }, posts) {
      requireTaken([perSpace.take(spaceId, posts)]);
    },
    takeOfPlayers({ spaceId }, handles) {
      requireTaken(handles.map((handle) => perPlayer.take(`${spaceId} ${handle}`)));
    },
  };
}
