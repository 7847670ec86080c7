import type { Platform } from '../platform/context.ts';
import type { SpaceId, VersionId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { findSpaceOfVersion, lockSpace, type SpaceRow } from '../spaces/spaces.ts';
import type { Publisher } from './publisher.ts';
import { findVersion, type VersionRow } from './versions.queries.ts';

export interface OwnVersion {
  readonly version: VersionRow;
  readonly space: SpaceRow;
}

/**
 * Returns a version of the publisher, with its space.
 * @throws `not_found` if it does not exist or belongs to somebody else
 */
export async function ownVersion(
  { database }: Platform,
  id: VersionId,
  publisher: Pick<Publisher, 'owns'>,
): Promise<OwnVersion> {
  const found = await findVersionAndSpace(database.db, id);
  if (!publisher.owns(found.space)) throw versionNotFound();
  return found;
}

/**
 * Returns any version, with its space.
 * @throws `not_found`
 */
export async function findVersionAndSpace(db: Db, id: VersionId): Promise<OwnVersion> {
  const [version, space] = await Promise.all([findVersion(db, id), findSpaceOfVersion(db, id)]);
  if (!version || !space) throw versionNotFound();
  return { version, space };
}

/** Locks a space until the transaction ends, and reads one of its versions after that. Undefined if either is gone. */
export async function lockVersion(
  tx: Tx,
  spaceId: SpaceId,
  versionId: VersionId,
): Promise<OwnVersion | undefined> {
  const [space, version] = await Promise.all([lockSpace(tx, spaceId), findVersion(tx.db, versionId)]);
  return space && version && { space, version };
}

/** As `lockVersion`, for a version whose space is not known. */
export async function lockVersionById(tx: Tx, versionId: VersionId): Promise<OwnVersion | undefined> {
  const asked = await findVersion(tx.db, versionId);
  return asked && lockVersion(tx, asked.space_id, versionId);
}

export function versionNotFound(): ServiceError {
  return new ServiceError('not_found', 'There is no such version.');
}
