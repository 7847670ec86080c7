import type { SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { SpaceRow } from '../spaces/spaces.ts';

/** Returns the space of a valid preview link, whatever its state, and the version's number. */
export async function findPreview(
  db: Db,
  { label, now }: { label: string; now: number },
): Promise<{ space: SpaceRow; version: number; expiresAt: number } | undefined> {
  const row = await db
    .selectFrom('preview_links as link')
    .innerJoin('versions as version', 'version.id', 'link.version_id')
    .innerJoin('spaces as space', 'space.id', 'version.space_id')
    .selectAll('space')
    .select(['version.number as version', 'link.expires_at'])
    .where('link.label', '=', label)
    .where('link.expires_at', '>', now)
    .where('version.status', 'not in', ['uploading', 'refused'])
    .where('space.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { version, expires_at, ...space } = row;
  return { space, version, expiresAt: expires_at };
}

/**
 * Returns whether a version of this number may be open in the space: one that was live, or any finished
 * version of an unlisted page.
 */
export async function isShownVersion(
  db: Db,
  { id, state }: Pick<SpaceRow, 'id' | 'state'>,
  number: number,
): Promise<boolean> {
  const version = await db
    .selectFrom('versions')
    .select(['status', 'live_at', 'left_behind'])
    .where('space_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst();
  if (!version) return false;
  if (state === 'unlisted') return version.status === 'preview';
  return version.status === 'live' && version.live_at !== null && version.left_behind === 0;
}

/**
 * Returns when a page that was published without an account ends, in epoch
 * milliseconds; null for other spaces.
 */
export async function findEndOfUnlisted(db: Db, spaceId: SpaceId): Promise<number | null> {
  const page = await db
    .selectFrom('unlisted_pages')
    .select('expires_at')
    .where('space_id', '=', spaceId)
    .executeTakeFirst();
  return page?.expires_at ?? null;
}

/**
 * Returns the number of the version that a space shows: the live one, or the newest of an unlisted
 * page; null if there is none.
 */
export async function findShownNumber(
  db: Db,
  { id, state, live_version_id }: Pick<SpaceRow, 'id' | 'state' | 'live_version_id'>,
): Promise<number | null> {
  if (state !== 'unlisted' && live_version_id === null) return null;
  const versions = db.selectFrom('versions').select('number');
  const shown =
    live_version_id === null
      ? versions.where('space_id', '=', id).where('status', '=', 'preview').orderBy('number', 'desc').limit(1)
      : versions.where('id', '=', live_version_id);
  return (await shown.executeTakeFirst())?.number ?? null;
}
