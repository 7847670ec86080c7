import type { SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { SpaceRow } from '../spaces/spaces.ts';
import type { VersionRow } from './versions.queries.ts';

export async function findLinkByLabel(db: Db, label: string) {
  return db.selectFrom('preview_links').selectAll().where('label', '=', label).executeTakeFirst();
}

export async function findReviewLink(db: Db, label: string) {
  return db.selectFrom('review_links').selectAll().where('label', '=', label).executeTakeFirst();
}

/** Returns whether the label belonged to a link to a version that is deleted. */
export async function isEndedLabel(db: Db, label: string): Promise<boolean> {
  return (
    (await db.selectFrom('ended_labels').select('label').where('label', '=', label).executeTakeFirst()) !==
    undefined
  );
}

/** Returns every label that shows the version now, so that changes can be announced to serving. */
export async function findLabelsOfVersion(db: Db, versionId: VersionId): Promise<string[]> {
  const rows = await db
    .selectFrom('preview_links')
    .select('label')
    .where('version_id', '=', versionId)
    .execute();
  return rows.map(({ label }) => label);
}

/** Returns the unlisted page at a slug, also after its space was deleted or claimed. */
export async function findUnlistedPage(
  db: Db,
  slug: string,
): Promise<{ spaceId: SpaceId; expiresAt: number; state: SpaceRow['state'] | null } | undefined> {
  return db
    .selectFrom('slugs')
    .innerJoin('unlisted_pages as page', 'page.space_id', 'slugs.space_id')
    .leftJoin('spaces as space', 'space.id', 'page.space_id')
    .select(['page.space_id as spaceId', 'page.expires_at as expiresAt', 'space.state'])
    .where('slugs.slug', '=', slug)
    .executeTakeFirst();
}

export async function findNewestPreview(db: Db, spaceId: SpaceId): Promise<VersionRow | undefined> {
  return newestOf(db, spaceId, 'preview');
}

/** Returns whether a version of the space was refused that would have been shown. */
export async function hasRefused(db: Db, spaceId: SpaceId): Promise<boolean> {
  return (await newestOf(db, spaceId, 'refused')) !== undefined;
}

async function newestOf(db: Db, spaceId: SpaceId, status: VersionRow['status']) {
  return db
    .selectFrom('versions')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('status', '=', status)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}
