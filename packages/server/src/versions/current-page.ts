import type { Platform } from '../platform/context.ts';
import type { SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Site } from '../serving/site.ts';
import { findSpaceById } from '../spaces/spaces.ts';
import { declarationsOf } from './declarations.ts';
import { loadSite } from './load-site.ts';
import { findLiveVersion, findVersion, type VersionRow } from './versions.queries.ts';

/** What players of a space see now. */
export type CurrentPage =
  | { readonly is: 'listed'; readonly url: string }
  | {
      readonly is: 'hosted';
      readonly slug: string;
      readonly site: Site;
      /** The page waits for a click before it starts the game. */
      readonly startsByClick: boolean;
    };

/**
 * Returns null if nobody may see anything: nothing is live, or the space is off the service or not public.
 */
export async function findCurrentPage(
  { database: { db } }: Pick<Platform, 'database'>,
  spaceId: SpaceId,
): Promise<CurrentPage | null> {
  const space = await findSpaceById(db, spaceId);
  if (space?.state !== 'listed') return null;
  if (space.hosted === 0) return space.url === null ? null : { is: 'listed', url: space.url };
  const version = await findLiveVersion(db, space);
  if (!version) return null;
  return {
    is: 'hosted',
    slug: space.slug,
    site: await loadSite(db, version),
    startsByClick: waitsForClick(version),
  };
}

/** The facts about a version that a page needs to frame it. */
export interface FramedVersion {
  readonly spaceId: SpaceId;
  readonly number: number;
  /** The page waits for the player's click before it starts the game. */
  readonly startsByClick: boolean;
  /** The service shows toasts about unlocks and new bests. */
  readonly toasts: boolean;
  /** The service keeps the storage of the page. This needs the player module. */
  readonly keepsStorage: boolean;
}

/** Returns null if the version was deleted in the meantime. */
export async function findFramedVersion(
  { database: { db } }: Pick<Platform, 'database'>,
  versionId: VersionId,
): Promise<FramedVersion | null> {
  const version = await findVersion(db, versionId);
  if (!version) return null;
  const { space_id: spaceId, number } = version;
  const { toasts = true, sdk = true, storage = true } = declarationsOf(version);
  return { spaceId, number, startsByClick: waitsForClick(version), toasts, keepsStorage: sdk && storage };
}

function waitsForClick(version: Pick<VersionRow, 'declarations'>): boolean {
  return declarationsOf(version).start === 'click';
}
