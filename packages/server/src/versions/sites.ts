import type { Platform } from '../platform/context.ts';
import type { Db } from '../platform/db/schema.ts';
import type { FindSite, Site, SiteAtHost, SiteFile } from '../serving/site.ts';
import { findSpaceById, findSpaceOfSlug, type SpaceRow } from '../spaces/spaces.ts';
import { declarationsOf, defaultEntry } from './declarations.ts';
import { hashesOf } from './manifest.ts';
import { findForms } from './packing.queries.ts';
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
import { slugOfUnlistedLabel } from './unlisted-label.ts';
import { findBlobs, findVersion, readManifest, type VersionRow } from './versions.queries.ts';

/** What a content host serves at a label: the answer to serving's one question. */
export function createSiteFinder({ database, clock }: Platform): FindSite {
  const { db } = database;
  return async (kind, label) => (kind === 'play' ? findLive(db, label) : findPreview(db, label, clock.now()));
}

async function findLive(db: Db, slug: string): Promise<SiteAtHost> {
  const space = await findSpaceOfSlug(db, slug);
  if (space === 'ended') return { is: 'gone' };
  // A slug that the space had before was that of an unlisted page, which was never served here.
  if (space === 'never' || space.slug !== slug) return { is: 'unknown' };
  if (isOffService(space) || space.state === 'offline' || space.hosted === 0) return { is: 'gone' };
  const version = space.live_version_id && (await findVersion(db, space.live_version_id));
  if (!version) return { is: 'unknown' };
  return { is: 'site', site: await loadSite(db, version), temporary: false };
}

/** An unlisted page shows the newest of its versions that was not refused, until its time is over or somebody claims it. */
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

/** When a page that nobody claimed ends, with all that is shown of it. */
async function endOf(db: Db, space: SpaceRow): Promise<number> {
  if (space.state !== 'unlisted') return Number.POSITIVE_INFINITY;
  return (await findUnlistedPage(db, space.slug))?.expiresAt ?? Number.POSITIVE_INFINITY;
}

/** An operator looks at a version, refused or not, whatever the state of its space. */
async function findUnderReview(db: Db, label: string, now: number): Promise<SiteAtHost> {
  const link = await findReviewLink(db, label);
  if (!link) return { is: (await isEndedLabel(db, label)) ? 'gone' : 'unknown' };
  const version = await findVersion(db, link.version_id);
  if (!version) return { is: 'unknown' };
  if (link.expires_at <= now) return { is: 'gone' };
  return { is: 'site', site: await loadSite(db, version), temporary: true, expiresAt: link.expires_at };
}

/** One version as it is served, whatever its state. */
export async function loadSite(db: Db, version: VersionRow): Promise<Site> {
  const manifest = await readManifest(db, version.id);
  const hashes = hashesOf(manifest);
  const blobs = new Map((await findBlobs(db, hashes)).map((blob) => [blob.hash, blob]));
  const forms = await findForms(db, hashes);
  const declarations = declarationsOf(version);
  const files = new Map<string, SiteFile>();
  let isolated = false;
  for (const [path, hash] of manifest) {
    const blob = blobs.get(hash);
    // Finish saw every file, and the collector keeps what a manifest names. A file without a row was deleted by hand.
    if (!blob) continue;
    // The size in the manifest is only what its creator said.
    files.set(path, { hash, size: blob.size, key: blob.key, forms: forms.get(hash) ?? {} });
    isolated ||= blob.shared_memory === 1;
  }
  return {
    versionId: version.id,
    number: version.number,
    files,
    entry: declarations.entry ?? defaultEntry,
    spa: declarations.spa ?? false,
    sdk: declarations.sdk ?? true,
    ascendingBoards: (declarations.boards ?? []).filter(({ sort }) => sort === 'asc').map(({ key }) => key),
    isolated,
  };
}
