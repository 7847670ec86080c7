import type { Review } from '@spaceport/contract/reviews';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { VersionId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import {
  addReviewLink,
  type DecidedReview,
  decideReview,
  requireFilesToApprove,
} from '../versions/review-decision.ts';
import { isSuperseded } from '../versions/standing.ts';
import { type Actor, audit } from './audit.ts';
import type { ListQuery } from './list-query.ts';
import { findOpenReviews, type OpenReview } from './reviews.queries.ts';
import { mailOwner, toldBy } from './tell-by-mail.ts';
import { reviewMail } from './told-mails.ts';

/** Returns a page of the queue: requested and undecided reviews, oldest first. */
export async function listReviews(
  { database: { db }, urls }: Platform,
  { cursor, limit }: ListQuery,
): Promise<{ reviews: Review[]; next: string | null }> {
  const rows = await findOpenReviews(db, decodeCursor(cursor), limit + 1);
  const { page, next } = pageOf(rows, limit, ({ id, requested_at }) => ({ value: requested_at, id }));
  const shape = (open: OpenReview): Review => {
    const { slug, title, state, hosted, owner, report, live_number, finished_as_preview, ...row } = open;
    const preview = finished_as_preview === 1;
    const live = live_number === null ? null : { number: live_number };
    return {
      ...row,
      space: { slug, title, state, owner, service_url: urls.page(slug) },
      report: report === null ? null : fromJson(report),
      created_at: toTimestamp(row.created_at),
      requested_at: toTimestamp(row.requested_at),
      preview,
      superseded: !preview && isSuperseded({ hosted }, row, live),
    };
  };
  return { reviews: page.map(shape), next };
}

/**
 * Decides a review, writes the audit log and tells the creator by mail.
 * @throws the errors of `decideReview`
 */
export async function decide(
  platform: Platform,
  versionId: VersionId,
  decision: { readonly approve: boolean; readonly reason: string | null },
  by: Actor,
): Promise<DecidedReview> {
  if (decision.approve) await requireFilesToApprove(platform, versionId);
  return platform.database.transaction(async (tx) => {
    const { decided, space, number } = await decideReview(tx, versionId, decision);
    const action = decision.approve ? 'approve' : 'decline';
    const entry = { actor: by, action, subject: `version:${versionId}`, reason: decision.reason };
    await audit(tx, entry);
    // Only the reason of a refusal is for the creator.
    const told = toldBy(platform, decision.approve ? null : decision.reason);
    await mailOwner(tx, space, (to) => reviewMail(to, { ...space, number, outcome: decided.outcome }, told));
    return decided;
  });
}

/**
 * Makes a link to look at a version under review.
 * @throws `not_found`
 */
export async function reviewLink(
  platform: Platform,
  versionId: VersionId,
): Promise<{ preview_url: string; expires_at: string }> {
  const { label, expiresAt } = await platform.database.transaction((tx) => addReviewLink(tx, versionId));
  return { preview_url: platform.urls.preview(label), expires_at: toTimestamp(expiresAt) };
}
