import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { lockSpace, requireUnfrozen } from '../spaces/spaces.ts';
import { ownVersion, versionNotFound } from './own-version.ts';
import { accountPublisher } from './publisher.ts';
import { dropVersion, endLinks } from './retention.queries.ts';
import { findVersion } from './versions.queries.ts';

/**
 * Deletes a version for good, whatever its status. The collector deletes its files later.
 * @throws `not_found`, `not_allowed` for the live version, and `held` or `removed` while an operator has the
 * space off the service
 */
export async function deleteVersion(platform: Platform, caller: CreatorCaller, id: VersionId): Promise<void> {
  const { database } = platform;
  const own = await ownVersion(platform, id, accountPublisher(platform, caller));
  await database.transaction(async (tx) => {
    const space = await lockSpace(tx, own.space.id);
    const version = space && (await findVersion(tx.db, id));
    if (!version) throw versionNotFound();
    requireUnfrozen(space);
    const labels = await endLinks(tx, id);
    if (!(await dropVersion(tx, id, version.status)))
      throw new ServiceError(
        'not_allowed',
        `Version ${version.number} is live: publish or roll back to another one first, or take the space offline.`,
      );
    for (const label of labels) tx.announce('preview', label);
    tx.announce('version', id);
    // The space may have shown data of this version.
    tx.announce('space', space.slug);
  });
}
