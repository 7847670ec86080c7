import { createHmac } from 'node:crypto';
import type { Database } from '../platform/db/database.ts';
import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import { rememberedKey } from '../platform/secrets/installation-keys.ts';

/** Returns the name by which a space knows an account, a guest or an unknown player. */
export type SubjectOf = (
  who: AccountId | `guest ${string}` | `nobody ${string}`,
  spaceId: SpaceId,
) => Promise<string>;

/**
 * Creates pairwise names (OpenID Connect Core §8.1). An account has the same name in a space, however
 * often the slug changes, and another one in every other space, so that two spaces cannot tell that
 * they have the same player.
 */
export function createSubjects(database: Database): SubjectOf {
  const key = rememberedKey(database, 'player_subject_key');
  return async (who, spaceId) =>
    createHmac('sha256', await key())
      .update(`${who}\n${spaceId}`)
      .digest('base64url');
}
