import type { Declarations } from '@spaceport/contract/declarations';
import type { Platform } from '../platform/context.ts';
import type { Site } from '../serving/site.ts';
import { findSpaceById } from '../spaces/spaces.ts';
import { loadSite } from './sites.ts';
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

/** Null where nobody may see anything: nothing is live, or the space is off the service or not public. */
export async function findCurrentPage(
  { database: { db } }: Pick<Platform, 'database'>,
  spaceId: string,
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

/** Whether the page of a version waits for the player's click before it begins. */
export async function startsByClick(
  { database: { db } }: Pick<Platform, 'database'>,
  versionId: string,
): Promise<boolean> {
  const version = await findVersion(db, versionId);
  return version !== undefined && waitsForClick(version);
}

function waitsForClick({ declarations }: Pick<VersionRow, 'declarations'>): boolean {
  const { start } = JSON.parse(declarations) as Declarations;
  return start === 'click';
}
