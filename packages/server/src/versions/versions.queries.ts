import type { CheckReport } from '@spaceport/contract/versions';
import { type Selectable, sql } from 'kysely';
import { blobsWith, oneOf } from '../platform/db/dialect.ts';
import type { Principal, SpaceId, VersionId } from '../platform/db/ids.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import type { BlobsTable, Db, Schema, VersionsTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Manifest, StoredSize } from './manifest.ts';

export type VersionRow = Selectable<VersionsTable>;
export type BlobRow = Selectable<BlobsTable>;

export interface HadFile extends StoredSize {
  readonly marked: boolean;
}

export async function insertVersion(tx: Tx, version: VersionRow, manifest: Manifest): Promise<void> {
  await tx.db.insertInto('versions').values(version).execute();
  await tx.db
    .insertInto('manifests')
    .values({ version_id: version.id, files: toJson(manifest) })
    .execute();
}

export async function findVersion(db: Db, id: VersionId): Promise<VersionRow | undefined> {
  return db.selectFrom('versions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the version that a space points at, or null. */
export async function findLiveVersion(
  db: Db,
  { live_version_id }: { readonly live_version_id: VersionId | null },
): Promise<VersionRow | null> {
  return live_version_id === null ? null : ((await findVersion(db, live_version_id)) ?? null);
}

export async function findVersionByNumber(
  db: Db,
  spaceId: SpaceId,
  number: number,
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('versions')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('number', '=', number)
    .executeTakeFirst();
}

/** Returns undefined if the version is deleted. */
export async function findManifest(db: Db, versionId: VersionId): Promise<Manifest | undefined> {
  const row = await db
    .selectFrom('manifests')
    .select('files')
    .where('version_id', '=', versionId)
    .executeTakeFirst();
  return row && fromJson(row.files);
}

/**
 * Returns the manifest of a version that was just found.
 * @throws `not_found` if the version was deleted in the meantime
 */
export async function readManifest(db: Db, versionId: VersionId): Promise<Manifest> {
  const manifest = await findManifest(db, versionId);
  if (!manifest) throw new ServiceError('not_found', 'There is no such version.');
  return manifest;
}

/** Returns the report of the check, or an empty one if there was no check. */
export function reportOf({ report }: Pick<VersionRow, 'report'>): CheckReport {
  return report ? fromJson(report) : { findings: [] };
}

export async function writeReport(tx: Tx, versionId: VersionId, report: CheckReport): Promise<void> {
  await tx.db
    .updateTable('versions')
    .set({ report: toJson(report) })
    .where('id', '=', versionId)
    .execute();
}

/** Returns finished versions of a space, newest first. */
export async function listFinishedVersions(db: Db, spaceId: SpaceId, limit: number): Promise<VersionRow[]> {
  return db
    .selectFrom('versions')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('status', '!=', 'uploading')
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
}

export async function findFinishedBefore(
  db: Db,
  spaceId: SpaceId,
  number: number,
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('versions')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('number', '<', number)
    .where('status', '!=', 'uploading')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function findBlobs(db: Db, hashes: readonly string[]): Promise<BlobRow[]> {
  return db.selectFrom(blobsWith(db, hashes).as('blob')).selectAll().execute();
}

/**
 * Returns the files among these that the principal has: they are stored, and the principal has
 * uploaded them before or they are part of a version that has been public. `size` is the size of the stored
 * file; `marked` files are about to be collected.
 */
export async function findHad(db: Db, principal: Principal, hashes: readonly string[]): Promise<HadFile[]> {
  const rows = await db
    .selectFrom(blobsWith(db, hashes).as('blob'))
    .leftJoin('blob_uploads as upload', (join) =>
      join.onRef('upload.hash', '=', 'blob.hash').on('upload.principal', '=', principal),
    )
    .select(['blob.hash', 'blob.size', 'blob.marked_at'])
    .where((where) => where.or([where('blob.public', '=', 1), where('upload.hash', 'is not', null)]))
    // Leaves out lost files, so that they are uploaded again.
    .where('blob.key', 'not in', (lost) => lost.selectFrom('damaged_files').select('key'))
    .execute();
  return rows.map(({ hash, size, marked_at }) => ({ hash, size, marked: marked_at !== null }));
}

/** Takes the collector's mark off files that a new version needs. Returns the hashes that still exist. */
export async function unmarkBlobs(tx: Tx, hashes: readonly string[]): Promise<string[]> {
  const rows = await tx.db
    .updateTable('blobs')
    .set({ marked_at: null })
    .where('hash', 'in', oneOf(tx.db, hashes))
    .where('marked_at', 'is not', null)
    .returning('hash')
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Makes these files count as had for every create from now on. */
export async function makeBlobsPublic(tx: Tx, hashes: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('blobs')
    .set({ public: 1 })
    .where('hash', 'in', oneOf(tx.db, hashes))
    .where('public', '=', 0)
    .execute();
}

/** Counts the account's versions that wait for the safety check. */
export async function countWaitingChecks(tx: Tx, createdBy: Principal): Promise<number> {
  const { count } = await tx.db
    .selectFrom('versions')
    .select(sql<number>`count(*)`.as('count'))
    .where('created_by', '=', createdBy)
    .where('status', '=', 'checking')
    .where('stopped', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Changes a version whose status is still `from`. Returns false if another change was first. */
export async function changeVersion(
  tx: Tx,
  id: VersionId,
  from: VersionRow['status'],
  change: Partial<VersionRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('versions')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', from)
    .where('stopped', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function insertPreviewLink(tx: Tx, link: Schema['preview_links']): Promise<void> {
  await tx.db.insertInto('preview_links').values(link).execute();
}

export async function insertReviewLink(tx: Tx, link: Schema['review_links']): Promise<void> {
  await tx.db.insertInto('review_links').values(link).execute();
}

/** Returns the first link, which finish gave, or the newest one. */
export async function findPreviewLink(
  db: Db,
  versionId: VersionId,
  which: 'first' | 'newest',
): Promise<{ label: string; expiresAt: number } | undefined> {
  return db
    .selectFrom('preview_links')
    .select(['label', 'expires_at as expiresAt'])
    .where('version_id', '=', versionId)
    .orderBy('created_at', which === 'first' ? 'asc' : 'desc')
    .orderBy('label')
    .limit(1)
    .executeTakeFirst();
}

export async function markReviewRequested(tx: Tx, id: VersionId): Promise<void> {
  await tx.db
    .updateTable('versions')
    .set({ review_requested_at: tx.now })
    .where('id', '=', id)
    .where('review_requested_at', 'is', null)
    .execute();
}
