import type { SpaceId, VersionId } from '../../platform/db/ids.ts';
import { fromJson, toJson } from '../../platform/db/json.ts';
import type { Db } from '../../platform/db/schema.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { FirstFile } from '../../serving/first-files.ts';
import type { Manifest } from '../manifest.ts';
import type { Origins } from './origins.ts';

/** How long a version is still served after it was live. */
export interface Skew {
  readonly now: number;
  readonly skewMs: number;
}

/** A version that is served by its number now. */
export interface ServedNumber {
  readonly id: VersionId;
  readonly number: number;
  /** The end of serving in epoch milliseconds; infinite for the live version. */
  readonly until: number;
  readonly origins: () => Origins;
  readonly firstFiles: () => readonly FirstFile[];
}

/** Records that the version works at an address of its own. */
export async function insertVersionPaths(
  tx: Tx,
  versionId: VersionId,
  firstFiles: readonly FirstFile[],
): Promise<void> {
  await tx.db
    .insertInto('version_paths')
    .values({ version_id: versionId, origins: toJson([]), first_files: toJson(firstFiles), left_at: null })
    .onConflict((conflict) => conflict.column('version_id').doNothing())
    .execute();
}

export async function setOrigins(tx: Tx, versionId: VersionId, origins: Origins): Promise<void> {
  await tx.db
    .updateTable('version_paths')
    .set({ origins: toJson(origins) })
    .where('version_id', '=', versionId)
    .execute();
}

/**
 * Records that this version is live now and that `before` no longer is. Returns whether the version works at
 * an address of its own.
 */
export async function changeLive(tx: Tx, versionId: VersionId, before: VersionId | null): Promise<boolean> {
  const rows = await tx.db
    .updateTable('version_paths')
    .set(({ eb }) => ({
      left_at: eb.case().when('version_id', '=', versionId).then(null).else(tx.now).end(),
    }))
    .where('version_id', 'in', before === null ? [versionId] : [versionId, before])
    .returning('version_id')
    .execute();
  return rows.some(({ version_id }) => version_id === versionId);
}

export async function hasVersionPaths(db: Db, versionId: VersionId): Promise<boolean> {
  const row = await db
    .selectFrom('version_paths')
    .select('version_id')
    .where('version_id', '=', versionId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the versions of a space that are served by their numbers: the live one, and those that were live
 * within `skewMs` before `now`. It is one statement, so a version that goes live at the same moment is in one
 * of the two groups.
 */
export async function findServedNumbers(
  db: Db,
  spaceId: SpaceId,
  { now, skewMs }: Skew,
): Promise<ServedNumber[]> {
  const rows = await db
    .selectFrom('version_paths as paths')
    .innerJoin('versions as version', 'version.id', 'paths.version_id')
    .innerJoin('spaces as space', 'space.id', 'version.space_id')
    .select([
      'version.id',
      'version.number',
      'paths.left_at',
      'paths.origins',
      'paths.first_files',
      'space.live_version_id',
    ])
    .where('version.space_id', '=', spaceId)
    .where('version.status', '=', 'live')
    .where('version.left_behind', '=', 0)
    .where((where) =>
      where.or([
        where('paths.left_at', '>', now - skewMs),
        where('version.id', '=', where.ref('space.live_version_id')),
      ]),
    )
    .execute();
  return rows.map(({ id, number, left_at, origins, first_files, live_version_id }) => ({
    id,
    number,
    until: id === live_version_id || left_at === null ? Number.POSITIVE_INFINITY : left_at + skewMs,
    origins: () => fromJson(origins),
    firstFiles: () => fromJson(first_files),
  }));
}

/** Returns the versions before `number` that were live most recently, the newest first, with their files. */
export async function findLiveBefore(
  db: Db,
  spaceId: SpaceId,
  number: number,
  count: number,
): Promise<{ number: number; origins: Origins; manifest: Manifest }[]> {
  const rows = await db
    .selectFrom('version_paths as paths')
    .innerJoin('versions as version', 'version.id', 'paths.version_id')
    .innerJoin('manifests as manifest', 'manifest.version_id', 'version.id')
    .select(['version.number', 'paths.origins', 'manifest.files'])
    .where('version.space_id', '=', spaceId)
    .where('version.number', '<', number)
    .where('version.status', '=', 'live')
    .where('version.left_behind', '=', 0)
    .orderBy('version.number', 'desc')
    .limit(count)
    .execute();
  return rows.map(({ number, origins, files }) => ({
    number,
    origins: fromJson(origins),
    manifest: fromJson(files),
  }));
}

/** Returns the numbers among these whose versions exist and were not withdrawn. */
export async function findKeptNumbers(
  db: Db,
  spaceId: SpaceId,
  numbers: readonly number[],
): Promise<ReadonlySet<number>> {
  if (numbers.length === 0) return new Set();
  const rows = await db
    .selectFrom('versions')
    .select('number')
    .where('space_id', '=', spaceId)
    .where('number', 'in', numbers)
    .where('status', '=', 'live')
    .execute();
  return new Set(rows.map(({ number }) => number));
}
