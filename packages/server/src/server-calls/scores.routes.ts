import { postScores } from '@spaceport/contract/server-calls';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import type { Players } from '../players/players.ts';
import { requireSpaceCaller } from './caller-space.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { createScorePosts } from './score-posts.ts';

export function bindScores(binder: Binder, platform: Platform, players: Players): void {
  const scores = createScorePosts(platform, players);

  binder.bind(postScores, async ({ caller, body, headers }) => {
    const space = requireSpaceCaller(caller);
    return scores.post(space, body, readIdempotencyKey(headers, space.spaceId, postScores.id, body));
  });
}
