import { findBansOf } from '../boards/boards.ts';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';

/** A post's player and env. */
export interface PlayerPost {
  readonly env: Env;
  /** The player, or the error that says why there is none. */
  readonly player: { readonly playerId: PlayerId; readonly handle: string } | ServiceError;
}

export type NamedPlayer = Exclude<PlayerPost['player'], ServiceError>;

/**
 * Finds the player of each post. The function it returns gives the player, or the error that the post is
 * refused with: `no_such_player`, or `banned` from the space.
 */
export async function findNamed(
  tx: Tx,
  calls: readonly { readonly spaceId: SpaceId; readonly posts: readonly PlayerPost[] }[],
): Promise<(spaceId: SpaceId, post: PlayerPost) => NamedPlayer | ServiceError> {
  const playerIds = calls.flatMap(({ posts }) =>
    posts.flatMap(({ player }) => (player instanceof ServiceError ? [] : player.playerId)),
  );
  const spaceIds = new Set(calls.map(({ spaceId }) => spaceId));
  const isBanned = await findBansOf(tx, [...spaceIds], [...new Set(playerIds)]);
  return (spaceId, { player }) => {
    if (player instanceof ServiceError || !isBanned(spaceId, player.playerId)) return player;
    return new ServiceError('banned', `The player @${player.handle} is banned from this space.`);
  };
}
