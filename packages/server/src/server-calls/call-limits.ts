import type { Platform } from '../platform/context.ts';
import type { SpaceCaller } from '../platform/http/caller.ts';
import { SharedBuckets, takeOfAll } from '../platform/limits/shared-buckets.ts';
import { requireTaken } from '../platform/limits/token-buckets.ts';
import type { Soon } from '../platform/when-known.ts';

/** Limits what a space's server may post in a minute, in total and for one player. */
export interface CallLimits {
  /**
   * Counts posts for the space, then for their players.
   * @param handles the handle of each post's player, in lower case
   * @throws `rate_limited`
   */
  take(caller: SpaceCaller, posts: number, handles: readonly string[]): Soon<void>;
  /**
   * Counts posts only for their players.
   * @throws `rate_limited`
   */
  takeOfPlayers(caller: SpaceCaller, handles: readonly string[]): Soon<void>;
}

export function createCallLimits({ config, together }: Platform): CallLimits {
  const perSpace = new SharedBuckets(together, 'calls of a space', config.SCORES_PER_MINUTE);
  const perPlayer = new SharedBuckets(together, 'calls of a player', config.PLAYER_SCORES_PER_MINUTE);
  const ofPlayers = ({ spaceId }: SpaceCaller, handles: readonly string[]) =>
    handles.map((handle) => perPlayer.of(`${spaceId} ${handle}`));
  return {
    take: (caller, posts, handles) =>
      requireTaken([
        takeOfAll(together, [perSpace.of(caller.spaceId, posts), ...ofPlayers(caller, handles)]),
      ]),
    takeOfPlayers: (caller, handles) =>
      handles.length === 0 ? undefined : requireTaken([takeOfAll(together, ofPlayers(caller, handles))]),
  };
}
