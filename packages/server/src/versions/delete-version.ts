import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { requireUnfrozen, type SpaceRow } from '../spaces/spaces.ts';
import { lockVersion, ownVersion, versionNotFound } from './own-version.ts';
import { accountPublisher } from './publisher.ts';
import { deleteVersionRow, endLinks } from './retention.queries.ts';

/**
 * Deletes a version for good, whatever its status. The collector deletes its files later.
 * @throws `not_found`, `not_allowed` for the live version, and `held` or `removed` while an operator has the
 * space off the service
 */
export async function deleteVersion(platform: Platform, caller: CreatorCaller, id: VersionId): Promise<void> {
  const { database } = platform;
  const own = await ownVersion(platform, id, accountPublisher(platform, caller));
  await database.transaction(async (tx) => {
    const locked = await lockVersion(tx, own.space.id, id);
    if (!locked) throw versionNotFound();
    const { space, version } = locked;
    requireUnfrozen(space);
    if (!(await dropVersion(tx, space, id)))
      throw new ServiceError(
        'not_allowed',
        `Version ${version.number} is live: publish or roll back to another one first, or delete the space.`,
      );
  });
}

/**
 * Deletes a version with its links and jobs, unless it is the live one. The caller has locked the space, so that
 * no rollback makes the version live in the meantime. Returns whether it was deleted.
 */
export async function dropVersion(
  tx: Tx,
  space: Pick<SpaceRow, 'slug' | 'live_version_id'>,
  id: VersionId,
): Promise<boolean> {
  if (space.live_version_id === id) return false;
  for (const label of await endLinks(tx, id)) tx.announce('preview', label);
  await deleteVersionRow(tx, id);
  tx.announce('version', id);
  // The space may have shown data of this version.
  tx.announce('space', space.slug);
  return true;
}
