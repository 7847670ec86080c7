import type { Platform } from '../platform/context.ts';
import type { Db } from '../platform/db/schema.ts';
import type { FindSite, SiteAtHost } from '../serving/site.ts';
import { findEvenDeleted, findSpaceById, findSpaceOfSlug, type SpaceRow } from '../spaces/spaces.ts';
import { standingOf } from '../spaces/states.ts';
import { loadSite } from './load-site.ts';
import { findNumbered, liveByNumber } from './paths/numbered-sites.ts';
import type { Skew } from './paths/version-paths.queries.ts';
import { isReviewLabel } from './review-label.ts';
import {
  findLinkByLabel,
  findNewestPreview,
  findReviewLink,
  findUnlistedPage,
  hasRefused,
  isEndedLabel,
} from './sites.queries.ts';
import { isOffService, isPreviewable } from './standing.ts';
import { withoutTakenDown } from './taken-down.ts';
import { slugOfUnlistedLabel } from './unlisted-label.ts';
import { findVersion } from './versions.queries.ts';

/** Creates the function that serving asks: what does a content host serve at a label? */
export function createSiteFinder({ database, clock, config }: Platform): FindSite {
  const { db } = database;
  const skewMs = config.SKEW_SECONDS * 1000;
  return async (kind, label, number) => {
    const now = clock.now();
    const found =
      kind === 'play' ? findLive(db, label, { now, skewMs }, number) : findPreview(db, label, now);
    return withoutTakenDown(await found);
  };
}

/** Returns the live version, or with a number what is served of that version. */
async function findLive(db: Db, slug: string, skew: Skew, number: number | undefined): Promise<SiteAtHost> {
  const space = await findSpaceOfSlug(db, slug);
  if (space === 'ended') {
    const deleted = await findEvenDeleted(db, slug);
    return deleted && isAway(deleted) ? { is: 'gone', why: 'away' } : { is: 'gone' };
  }
  // An earlier slug of the space belonged to an unlisted page, which was never served here.
  if (space === 'never' || space.slug !== slug) return { is: 'unknown' };
  if (isAway(space)) return { is: 'gone', why: 'away' };
  if (isOffService(space)) return { is: 'gone' };
  if (number !== undefined) return findNumbered(db, space, number, skew);
  const live = space.live_version_id && (await liveByNumber(db, space, space.live_version_id, skew));
  return live ? { is: 'site', ...live, temporary: false } : { is: 'unknown' };
}

/**
 * Returns whether nothing is served of the space for now, and its creator or the end of a review may bring it back. A
 * space that operators hide or remove, or whose owner is banned, counts as harmful, also after its creator deleted it.
 */
function isAway(space: SpaceRow): boolean {
  const standing = standingOf(space);
  if (standing === 'hidden' || standing === 'removed' || space.owner_banned === 1) return false;
  return isOffService(space) || space.state === 'offline' || space.hosted === 0;
}

/**
 * Returns the newest version of an unlisted page that was not refused, until the page expires or is claimed.
 */
async function findUnlisted(db: Db, slug: string, now: number): Promise<SiteAtHost> {
  const page = await findUnlistedPage(db, slug);
  if (!page) return { is: 'unknown' };
  if (page.expiresAt <= now || page.state !== 'unlisted') return { is: 'gone' };
  const version = await findNewestPreview(db, page.spaceId);
  if (!version)
    return (await hasRefused(db, page.spaceId)) ? { is: 'gone', why: 'refused' } : { is: 'unknown' };
  return { is: 'site', site: await loadSite(db, version), temporary: true, expiresAt: page.expiresAt };
}

async function findPreview(db: Db, label: string, now: number): Promise<SiteAtHost> {
  const unlisted = slugOfUnlistedLabel(label);
  if (unlisted !== null) return findUnlisted(db, unlisted, now);
  if (isReviewLabel(label)) return findUnderReview(db, label, now);
  const link = await findLinkByLabel(db, label);
  if (!link) return { is: (await isEndedLabel(db, label)) ? 'gone' : 'unknown' };
  const version = await findVersion(db, link.version_id);
  const space = version && (await findSpaceById(db, version.space_id));
  if (!space || isOffService(space) || !isPreviewable(version)) return { is: 'gone' };
  const expiresAt = Math.min(link.expires_at, await endOf(db, space));
  if (expiresAt <= now) return { is: 'gone' };
  return { is: 'site', site: await loadSite(db, version), temporary: true, expiresAt };
}

/**
 * Returns when an unclaimed page ends with everything that is shown of it, in epoch milliseconds; infinity
 * for others.
 */
async function endOf(db: Db, space: SpaceRow): Promise<number> {
  if (space.state !== 'unlisted') return Number.POSITIVE_INFINITY;
  return (await findUnlistedPage(db, space.slug))?.expiresAt ?? Number.POSITIVE_INFINITY;
}

/** Returns a version for an operator's link, refused or not, whatever the state of its space. */
async function findUnderReview(db: Db, label: string, now: number): Promise<SiteAtHost> {
  const link = await findReviewLink(db, label);
  if (!link) return { is: (await isEndedLabel(db, label)) ? 'gone' : 'unknown' };
  const version = await findVersion(db, link.version_id);
  if (!version) return { is: 'unknown' };
  if (link.expires_at <= now) return { is: 'gone' };
  return { is: 'site', site: await loadSite(db, version), temporary: true, expiresAt: link.expires_at };
}
