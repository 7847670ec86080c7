import { createHmac } from 'node:crypto';
import type { Database } from '../platform/db/database.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import { rememberedKey } from '../platform/secrets/installation-keys.ts';

/** Tells the name that a space knows an account by, or somebody without one. */
export type SubjectOf = (
  who: AccountId | `guest ${string}` | `nobody ${string}`,
  spaceId: SpaceId,
) => Promise<string>;

/**
 * Pairwise names (OpenID Connect Core §8.1): the same for an account in a space, however often its slug changes, and
 * another one in every other space, so that two spaces cannot tell that they have the same player.
 */
export function createSubjects(database: Database): SubjectOf {
  const key = rememberedKey(database, 'player_subject_key');
  return async (who, spaceId) =>
    createHmac('sha256', await key())
      .update(`${who}\n${spaceId}`)
      .digest('base64url');
}
