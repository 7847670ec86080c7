import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { randomLabel } from '../platform/secrets/id.ts';
import { lockSpace, requireOnService, type SpaceRow } from '../spaces/spaces.ts';
import { goLive } from './live.ts';
import { reviewLabel, reviewLabelLength } from './review-label.ts';
import { changeVersion, findVersion, type VersionRow } from './versions.queries.ts';

/** What became of a version under review. `superseded`: approved, and left as it was, for a newer one is live. */
export type ReviewOutcome = 'live' | 'superseded' | 'declined';

export interface DecidedReview {
  readonly outcome: ReviewOutcome;
  readonly status: 'live' | 'refused' | 'unjudged';
}

/**
 * Decides a review, once, in the caller's transaction. Approval makes the version live with the pointer swap, unless a
 * newer one is live meanwhile; declining keeps its status and tells its creator why. Throws `not_found` without a
 * request, `conflict` where it is decided, and for an approval that cannot be served `held`, `removed`,
 * `space_unavailable`, `not_hosted`: then the review stays open.
 */
export async function decideReview(
  tx: Tx,
  versionId: string,
  decision: { readonly approve: boolean; readonly reason: string | null },
): Promise<DecidedReview> {
  const { space, version } = await lockReview(tx, versionId);
  const { now } = tx;
  const change = async (outcome: ReviewOutcome, also: Partial<VersionRow>) => {
    const decided = { review_decided_at: now, review_outcome: outcome };
    if (!(await changeVersion(tx, version.id, version.status, { ...decided, ...also })))
      throw decidedAlready();
    tx.announce('version', version.id);
  };
  if (!decision.approve) {
    await change('declined', { reason: decision.reason });
    return { outcome: 'declined', status: version.status };
  }
  requireServable(space, version);
  if (await isSuperseded(tx, space, version)) {
    await change('superseded', {});
    return { outcome: 'superseded', status: version.status };
  }
  await change('live', { status: 'live', live_at: now, reason: null });
  await goLive(tx, space, version);
  return { outcome: 'live', status: 'live' };
}

type ReviewedVersion = VersionRow & { readonly status: 'refused' | 'unjudged' };

async function lockReview(tx: Tx, versionId: string): Promise<{ space: SpaceRow; version: ReviewedVersion }> {
  const asked = await findVersion(tx.db, versionId);
  const space = asked && (await lockSpace(tx, asked.space_id));
  const version = space && (await findVersion(tx.db, versionId));
  if (!space || !version || version.review_requested_at === null) throw noReview();
  if (version.review_decided_at !== null || !isReviewed(version)) throw decidedAlready();
  return { space, version };
}

function isReviewed(version: VersionRow): version is ReviewedVersion {
  return version.status === 'refused' || version.status === 'unjudged';
}

function requireServable(space: SpaceRow, version: VersionRow): void {
  requireOnService(space);
  if (space.state === 'hidden')
    throw new ServiceError('space_unavailable', 'The space is hidden; restore it first, or decline.');
  if (version.left_behind === 1)
    throw new ServiceError('not_hosted', 'The version was uploaded before the space moved to a live URL.');
}

/** As `goLive` has it: a version that was uploaded before the one that is served. */
async function isSuperseded(tx: Tx, space: SpaceRow, version: VersionRow): Promise<boolean> {
  const live = space.live_version_id ? await findVersion(tx.db, space.live_version_id) : undefined;
  return live !== undefined && space.hosted === 1 && live.number > version.number;
}

const linkSeconds = 3_600;

/**
 * A link to look at a version whose review was requested, also a refused one and whatever the state of its space. It
 * is no preview link: its creator is never shown it. Throws `not_found`.
 */
export async function addReviewLink(
  tx: Tx,
  versionId: string,
): Promise<{ label: string; expiresAt: number }> {
  const version = await findVersion(tx.db, versionId);
  if (!version || version.review_requested_at === null) throw noReview();
  const label = reviewLabel(randomLabel(reviewLabelLength));
  const { now } = tx;
  const expiresAt = now + linkSeconds * 1000;
  await tx.db
    .insertInto('review_links')
    .values({ label, version_id: version.id, created_at: now, expires_at: expiresAt })
    .execute();
  return { label, expiresAt };
}

function noReview(): ServiceError {
  return new ServiceError('not_found', 'There is no version of that id whose review was requested.');
}

function decidedAlready(): ServiceError {
  return new ServiceError('conflict', 'The review was decided already.');
}
