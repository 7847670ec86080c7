import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { randomLabel } from '../platform/secrets/id.ts';
import { lockEvenDeleted, lockSpace, type SpaceRow } from '../spaces/spaces.ts';
import { goLive, readForLive } from './live.ts';
import { announceWhereShown } from './previews.ts';
import { reviewLabel, reviewLabelLength } from './review-label.ts';
import { isReviewable, isSuperseded, requireApprovable } from './standing.ts';
import { lostFilesMessage, lostFilesOf } from './stored-files.ts';
import { takenDownMessage, takenDownPaths } from './taken-down.ts';
import {
  changeVersion,
  findLiveVersion,
  findVersion,
  insertReviewLink,
  readManifest,
  type VersionRow,
} from './versions.queries.ts';

/**
 * The outcome of a review. `preview`: approved, and shown as a preview again. `superseded`: approved, but not
 * made live because a newer version is live.
 */
export type ReviewOutcome = 'live' | 'preview' | 'superseded' | 'declined';

export interface DecidedReview {
  readonly outcome: ReviewOutcome;
  readonly status: 'live' | 'preview' | 'refused' | 'unjudged';
}

/**
 * Decides a review, once, in the caller's transaction. Approval makes the version live with the pointer swap,
 * unless a newer one is live by now; an approved preview is shown again. Declining keeps the status and tells
 * the creator the reason. Returns the space and the number of the version, too.
 * @throws `not_found` if no review was requested, `conflict` if it is decided already, and for an approval
 * that cannot be served `held`, `removed`, `space_unavailable` or `not_hosted`: the review then stays open
 */
export async function decideReview(
  tx: Tx,
  versionId: VersionId,
  decision: { readonly approve: boolean; readonly reason: string | null },
): Promise<{ readonly decided: DecidedReview; readonly space: SpaceRow; readonly number: number }> {
  const { space, version } = await lockReview(tx, versionId);
  const decided = await applyDecision(tx, { space, version }, decision);
  return { decided, space, number: version.number };
}

async function applyDecision(
  tx: Tx,
  { space, version }: { readonly space: SpaceRow; readonly version: ReviewedVersion },
  decision: { readonly approve: boolean; readonly reason: string | null },
): Promise<DecidedReview> {
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
  requireApprovable(space, version);
  await requireNoneTakenDown(tx, version);
  if (version.finished_as_preview === 1) {
    await change('preview', { status: 'preview', reason: null });
    await announceWhereShown(tx, version);
    return { outcome: 'preview', status: 'preview' };
  }
  if (isSuperseded(space, version, await findLiveVersion(tx.db, space))) {
    await change('superseded', {});
    return { outcome: 'superseded', status: version.status };
  }
  await change('live', { status: 'live', live_at: now, reason: null });
  await goLive(tx, space, version, await readForLive(tx, space, version.id));
  return { outcome: 'live', status: 'live' };
}

/**
 * Checks that no file of the version was taken down since its check: the space would show nothing then.
 * @throws `conflict`
 */
async function requireNoneTakenDown(tx: Tx, { id }: VersionRow): Promise<void> {
  const down = await takenDownPaths(tx.db, await readManifest(tx.db, id));
  if (down.length === 0) return;
  throw new ServiceError(
    'conflict',
    `${takenDownMessage(down)} Decline the review, or allow the file again.`,
  );
}

/**
 * Checks that no file of the version is lost. It asks the store, so it runs before an approval and outside
 * its transaction. `decideReview` makes the other checks.
 * @throws `conflict` if a file is lost
 */
export async function requireFilesToApprove(platform: Platform, versionId: VersionId): Promise<void> {
  const version = await findVersion(platform.database.db, versionId);
  if (!version || version.review_requested_at === null || version.review_decided_at !== null) return;
  const lost = await lostFilesOf(platform, version.id);
  if (lost.length === 0) return;
  const message = `${lostFilesMessage(lost)} Decline the review: its creator can publish it again.`;
  throw new ServiceError('conflict', message);
}

type ReviewedVersion = VersionRow & { readonly status: 'refused' | 'unjudged' };

async function lockReview(
  tx: Tx,
  versionId: VersionId,
): Promise<{ space: SpaceRow; version: ReviewedVersion }> {
  const asked = await findVersion(tx.db, versionId);
  const space = asked && (await lockSpace(tx, asked.space_id));
  const version = space && (await findVersion(tx.db, versionId));
  if (!space || !version || version.review_requested_at === null) throw noReview();
  if (version.review_decided_at !== null || !isReviewable(version)) throw decidedAlready();
  return { space, version };
}

const linkSeconds = 3_600;

/**
 * Makes a link to a version whose review was requested, also a refused one, and whatever the state of its
 * space. It is not a preview link: the creator of the version never sees it.
 * @throws `not_found`
 */
export async function addReviewLink(
  tx: Tx,
  versionId: VersionId,
): Promise<{ label: string; expiresAt: number }> {
  const asked = await findVersion(tx.db, versionId);
  // Nobody deletes the version while its space is locked.
  if (asked) await lockEvenDeleted(tx, asked.space_id);
  const version = asked && (await findVersion(tx.db, versionId));
  if (!version || version.review_requested_at === null) throw noReview();
  const label = reviewLabel(randomLabel(reviewLabelLength));
  const { now } = tx;
  const expiresAt = now + linkSeconds * 1000;
  await insertReviewLink(tx, { label, version_id: version.id, created_at: now, expires_at: expiresAt });
  return { label, expiresAt };
}

function noReview(): ServiceError {
  return new ServiceError('not_found', 'There is no version with this id and a requested review.');
}

function decidedAlready(): ServiceError {
  return new ServiceError('conflict', 'The review was decided already.');
}
