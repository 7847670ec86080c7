import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { noSpace } from '../spaces/own-space.ts';
import { findSpaceBySlug, isPublished, type SpaceRow } from '../spaces/spaces.ts';
import { findPreviewedSpace, isUnlistedOver } from './players.queries.ts';

/**
 * Returns the space if the account can open it. Everyone can open a space that is on the service; before a
 * space has been live, only its owner can.
 * @throws `not_found`
 */
export async function playableSpace(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  slug: string,
  accountId: AccountId | null,
): Promise<SpaceRow> {
  const space = await findSpaceBySlug(database.db, slug);
  if (!space || !isPlayable(space, accountId)) throw noSpace(slug);
  // A page that nobody claimed ends at its time, even if it was not swept yet.
  if (space.state === 'unlisted' && (await isUnlistedOver(database.db, space.id, clock.now())))
    throw noSpace(slug);
  return space;
}

/**
 * Returns the space if the label is that of one of its valid preview links: everybody with the
 * link may play, live or not.
 * @throws `not_found`
 */
export async function previewedSpace(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  slug: string,
  label: string,
): Promise<SpaceRow> {
  const space = await findPreviewedSpace(database.db, { slug, label, now: clock.now() });
  if (space?.state !== 'listed' && space?.state !== 'offline') throw noSpace(slug);
  return space;
}

function isPlayable(space: SpaceRow, accountId: AccountId | null): boolean {
  // An unlisted page is found only by its address.
  if (space.state === 'unlisted') return true;
  if (space.state !== 'listed') return false;
  return isPublished(space) || (accountId !== null && space.owner_id === accountId);
}
