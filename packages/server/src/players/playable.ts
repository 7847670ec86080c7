import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import { findSpaceBySlug, type SpaceRow } from '../spaces/spaces.ts';

/**
 * The space, where the account can open it: what is on the service for everyone, and the previews of a space that has
 * not been live yet for its owner. Throws `not_found`.
 */
export async function playableSpace(
  { database }: Pick<Platform, 'database'>,
  slug: string,
  accountId: string,
): Promise<SpaceRow> {
  const space = await findSpaceBySlug(database.db, slug);
  if (!space || !isPlayable(space, accountId)) {
    throw new ServiceError('not_found', `There is no space «${slug}».`);
  }
  return space;
}

function isPlayable(space: SpaceRow, accountId: string): boolean {
  // Nobody finds an unlisted page without its address.
  if (space.state === 'unlisted') return true;
  if (space.state !== 'listed') return false;
  return space.hosted === 0 || space.live_version_id !== null || space.owner_id === accountId;
}
