import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Caller } from '../platform/http/caller.ts';
import { findSpaceById, type SpaceRow } from '../spaces/spaces.ts';
import { findVersion, type VersionRow } from './versions.queries.ts';

export interface OwnVersion {
  readonly version: VersionRow;
  readonly space: SpaceRow;
}

/** A version of the caller's own; absent or another's is one answer, `not_found`. */
export async function ownVersion({ database }: Platform, id: string, caller: Caller): Promise<OwnVersion> {
  const version = await findVersion(database.db, id);
  const space = version && (await findSpaceById(database.db, version.space_id));
  if (!version || !space || caller.kind !== 'creator' || space.owner_id !== caller.creatorId)
    throw versionNotFound();
  return { version, space };
}

export function versionNotFound(): ServiceError {
  return new ServiceError('not_found', 'There is no such version.');
}
