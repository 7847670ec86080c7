import type { Platform } from '../platform/context.ts';
import type { SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Site } from '../serving/site.ts';
import { findSpaceById } from '../spaces/spaces.ts';
import { declarationsOf } from './declarations.ts';
import { loadSite } from './load-site.ts';
import { findVersion, type VersionRow } from './versions.queries.ts';

/** What players of a space get to see now. */
export type CurrentPage =
  | { readonly is: 'listed'; readonly url: string }
  | {
      readonly is: 'hosted';
      readonly slug: string;
      readonly site: Site;
      /** The page waits for a click before it begins. */
      readonly startsByClick: boolean;
    };

/** Null if nobody may see anything: nothing is live, or the space is off the service or not public. */
export async function findCurrentPage(
  { database: { db } }: Pick<Platform, 'database'>,
  spaceId: SpaceId,
): Promise<CurrentPage | null> {
  const space = await findSpaceById(db, spaceId);
  if (space?.state !== 'listed') return null;
  if (space.hosted === 0) return space.url === null ? null : { is: 'listed', url: space.url };
  const version = space.live_version_id === null ? null : await findVersion(db, space.live_version_id);
  if (!version) return null;
  return {
    is: 'hosted',
    slug: space.slug,
    site: await loadSite(db, version),
    startsByClick: waitsForClick(version),
  };
}

/** What a page that frames a version has to know of it. */
export interface FramedVersion {
  readonly spaceId: SpaceId;
  readonly number: number;
  /** The page waits for the player's click before it begins. */
  readonly startsByClick: boolean;
  /** The service says what was unlocked and who has a new best. */
  readonly toasts: boolean;
  /** The page keeps its storage: that takes the module. */
  readonly keepsStorage: boolean;
}

/** Null for a version that was deleted meanwhile. */
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
