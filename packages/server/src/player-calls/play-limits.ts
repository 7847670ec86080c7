import type { Platform } from '../platform/context.ts';
import { requireTaken, TokenBuckets } from '../platform/limits/token-buckets.ts';

/** What one player may post from the page of a space in a minute, by the mark of the player there. */
export interface PlayLimits {
  /** @throws `rate_limited` */
  takeScore(player: string, board: string): void;
  /**
   * Of stats and unlocks together.
   * @throws `rate_limited`
   */
  takeProgress(player: string): void;
}

export function createPlayLimits({ config, clock }: Pick<Platform, 'config' | 'clock'>): PlayLimits {
  const scores = new TokenBuckets(config.PLAY_SCORES_PER_MINUTE, clock);
  const progress = new TokenBuckets(config.PLAY_STATS_PER_MINUTE, clock);
  return {
    takeScore: (player, board) => requireTaken([scores.take(`${player} ${board}`)]),
    takeProgress: (player) => requireTaken([progress.take(player)]),
  };
}
