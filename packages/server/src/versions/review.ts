import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { lockSpace, requireUnfrozen } from '../spaces/spaces.ts';
import { ownVersion, versionNotFound } from './own-version.ts';
import { accountPublisher } from './publisher.ts';
import { reviewProblem } from './standing.ts';
import { findLiveVersion, findVersion, markReviewRequested } from './versions.queries.ts';

/**
 * Puts a refused or unjudged version in the operators' queue, once. Returns the time of the first request in
 * epoch milliseconds, also when asked again.
 * @throws `not_refused`, `superseded`, `not_hosted`, `removed`, `held`
 */
export async function requestReview(
  platform: Platform,
  caller: CreatorCaller,
  id: VersionId,
): Promise<number> {
  const { version: own } = await ownVersion(platform, id, accountPublisher(platform, caller));
  return platform.database.transaction(async (tx) => {
    const space = await lockSpace(tx, own.space_id);
    const version = await findVersion(tx.db, id);
    if (!space || !version) throw versionNotFound();
    if (version.review_requested_at !== null) return version.review_requested_at;
    requireUnfrozen(space);
    const problem = reviewProblem(space, version, await findLiveVersion(tx.db, space));
    if (problem) throw problem;
    await markReviewRequested(tx, id);
    tx.announce('version', id);
    return tx.now;
  });
}
