import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { SpaceCaller } from '../platform/http/caller.ts';
import { TokenBuckets } from '../platform/limits/token-buckets.ts';
import type { Post } from './grouped-calls.ts';

/** What a space's server may post in a minute, in all and of one player, whatever it posts. */
export interface CallLimits {
  /** Throws `rate_limited`. */
  take(caller: SpaceCaller, posts: readonly Post[]): void;
}

export function createCallLimits({ config, clock }: Platform): CallLimits {
  const perSpace = new TokenBuckets(config.SCORES_PER_MINUTE, clock);
  const perPlayer = new TokenBuckets(config.PLAYER_SCORES_PER_MINUTE, clock);
  return {
    take({ spaceId }, posts) {
      const waits = [perSpace.take(spaceId, posts.length)];
      for (const { player, player_token } of posts)
        waits.push(perPlayer.take(`${spaceId} ${player?.toLowerCase().replace('@', '') ?? player_token}`));
      const retryAfterSeconds = Math.max(...waits.map((seconds) => seconds ?? 0));
      if (retryAfterSeconds > 0)
        throw new ServiceError('rate_limited', 'Too many posts; slow down.', { retryAfterSeconds });
    },
  };
}
