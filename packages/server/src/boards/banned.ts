import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { findBansOf } from './post-scores.queries.ts';

/**
 * Returns whether a player is banned from a space, by its creator or from the service. Players without an
 * account (null) are never banned.
 */
export async function isBannedFrom(
  reader: { readonly db: Db },
  spaceId: SpaceId,
  playerId: PlayerId | null,
): Promise<boolean> {
  if (playerId === null) return false;
  return (await findBansOf(reader, [spaceId], [playerId]))(spaceId, playerId);
}

/** @throws `banned` */
export async function requireWelcome(...asked: Parameters<typeof isBannedFrom>): Promise<void> {
  if (await isBannedFrom(...asked)) throw youAreBanned();
}

/** Returns the refusal of a player's own call. Those of a space's server name the player. */
export function youAreBanned(): ServiceError {
  return new ServiceError('banned', 'You are banned from this space.');
}
