import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { ServiceError } from '../platform/errors.ts';
import { findSpaceOfVersion, type SpaceRow } from '../spaces/spaces.ts';
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

export function versionNotFound(): ServiceError {
  return new ServiceError('not_found', 'There is no such version.');
}
