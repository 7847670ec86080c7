import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { lockSpace, requireOnService } from '../spaces/spaces.ts';
import { ownVersion, versionNotFound } from './own-version.ts';
import { accountPublisher } from './publisher.ts';
import { findVersion, markReviewRequested } from './versions.queries.ts';

/**
 * Puts a refused or unjudged version in the operators' queue, once: asking again answers when it was asked. Throws
 * `not_refused`, `superseded`, `not_hosted`, `removed`, `held`.
 */
export async function requestReview(platform: Platform, caller: CreatorCaller, id: string): Promise<number> {
  const { database, clock } = platform;
  const { version: own } = await ownVersion(platform, id, accountPublisher(platform, caller));
  return database.transaction(async (tx) => {
    const space = await lockSpace(tx, own.space_id);
    const version = await findVersion(tx.db, id);
    if (!space || !version) throw versionNotFound();
    if (version.review_requested_at !== null) return version.review_requested_at;
    requireOnService(space);
    if (version.status !== 'refused' && version.status !== 'unjudged') {
      throw new ServiceError(
        'not_refused',
        'Only a version that was refused or left unjudged can be reviewed.',
      );
    }
    if (version.left_behind === 1) {
      throw new ServiceError(
        'not_hosted',
        'The version was uploaded before the space moved to a live URL; publish a new one.',
      );
    }
    const live = space.live_version_id ? await findVersion(tx.db, space.live_version_id) : undefined;
    if (live && live.number > version.number) {
      throw new ServiceError(
        'superseded',
        `Version ${live.number} is live and newer; publish a new version instead.`,
      );
    }
    const now = clock.now();
    await markReviewRequested(tx, id, now);
    tx.announce('version', id);
    return now;
  });
}
