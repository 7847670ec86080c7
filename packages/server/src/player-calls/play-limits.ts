import type { Platform } from '../platform/context.ts';
import { SharedBuckets } from '../platform/limits/shared-buckets.ts';
import { requireTaken } from '../platform/limits/token-buckets.ts';
import type { Soon } from '../platform/when-known.ts';

/** Limits what one player may post from the page of a space in a minute, by the player's mark there. */
export interface PlayLimits {
  /** @throws `rate_limited` */
  takeScore(player: string, board: string): Soon<void>;
  /**
   * Counts stats and unlocks together.
   * @throws `rate_limited`
   */
  takeProgress(player: string): Soon<void>;
}

export function createPlayLimits({ config, together }: Pick<Platform, 'config' | 'together'>): PlayLimits {
  const scores = new SharedBuckets(together, 'scores of a page', config.PLAY_SCORES_PER_MINUTE);
  const progress = new SharedBuckets(together, 'progress of a page', config.PLAY_STATS_PER_MINUTE);
  return {
    takeScore: (player, board) => requireTaken([scores.take(`${player} ${board}`)]),
    takeProgress: (player) => requireTaken([progress.take(player)]),
  };
}
