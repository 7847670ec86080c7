import type { VersionFiles } from '@spaceport/contract/versions';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { Db } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { diffManifests } from './manifest.ts';
import { ownVersion, versionNotFound } from './own-version.ts';
import type { Publisher } from './publisher.ts';
import {
  findFinishedBefore,
  findVersion,
  findVersionByNumber,
  readManifest,
  type VersionRow,
} from './versions.queries.ts';

/**
 * Returns the files of a version of the publisher, and what changed since version `against` of its space, or
 * since the finished version before it.
 * @throws `not_found`
 */
export async function readVersionFiles(
  platform: Platform,
  publisher: Pick<Publisher, 'owns'>,
  id: VersionId,
  against: number | undefined,
): Promise<VersionFiles> {
  const { version } = await ownVersion(platform, id, publisher);
  return shape(platform.database.db, version, against);
}

/**
 * Returns the same for a version whose review was requested, for an operator.
 * @throws `not_found`
 */
export async function readReviewFiles({ database: { db } }: Platform, id: VersionId): Promise<VersionFiles> {
  const version = await findVersion(db, id);
  if (!version || version.review_requested_at === null) throw versionNotFound();
  return shape(db, version, undefined);
}

async function shape(db: Db, version: VersionRow, against: number | undefined): Promise<VersionFiles> {
  const before = await comparedWith(db, version, against);
  const files = await readManifest(db, version.id);
  return {
    files: files.map(([path, sha256, size]) => ({ path, sha256, size })),
    fields: fromJson(version.fields),
    declarations: fromJson(version.declarations),
    diff: {
      against: before?.number ?? null,
      ...diffManifests(before ? await readManifest(db, before.id) : [], files),
    },
  };
}

async function comparedWith(
  db: Db,
  version: VersionRow,
  against: number | undefined,
): Promise<VersionRow | undefined> {
  if (against === undefined) return findFinishedBefore(db, version.space_id, version.number);
  const found = await findVersionByNumber(db, version.space_id, against);
  if (!found || found.status === 'uploading')
    throw new ServiceError('not_found', `The space has no version ${against} to compare with.`);
  return found;
}
