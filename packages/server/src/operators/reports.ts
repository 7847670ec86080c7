import type { BodyOf } from '@spaceport/contract/operation';
import {
  type decideReport as decideOperation,
  type Report,
  toldDecisions,
} from '@spaceport/contract/reports';
import { dropItem, requireShownItem } from '../content/content.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { ContentId, ReportId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { decodeCursor, pageOf } from '../platform/http/cursor.ts';
import { networkOf } from '../platform/limits/address-network.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { newId } from '../platform/secrets/id.ts';
import type { PlayedSpace } from '../player-calls/played-space.ts';
import { noSpace } from '../spaces/own-space.ts';
import { findSpaceBySlug, isPublished, type SpaceRow } from '../spaces/spaces.ts';
import { tellWebhooks } from '../webhooks/tell.ts';
import { ban, namedAccount } from './accounts.ts';
import { type Actor, audit } from './audit.ts';
import { closeReports } from './close-reports.ts';
import type { ListQuery } from './list-query.ts';
import {
  findOpenReportsOf,
  findOpenReportsOfOwner,
  findReport,
  findReports,
  insertReport,
  type ReportRow,
  sortValueOf,
} from './reports.queries.ts';
import { setState } from './space-actions.ts';

const hourSeconds = 3_600;

/**
 * Stores a player's report of a space that can be opened. About the sender only a count by network is stored,
 * for an hour. Returns the time of the report in epoch milliseconds.
 * @throws `not_found` and `rate_limited`
 */
export async function reportSpace(
  platform: Platform,
  slug: string,
  { reason, message }: Pick<Report, 'reason' | 'message'>,
  address: string,
): Promise<number> {
  const space = await findSpaceBySlug(platform.database.db, slug);
  const isOpen = space?.state === 'unlisted' || (space?.state === 'listed' && isPublished(space));
  if (!space || !isOpen) throw noSpace(slug);
  return keepReport(platform, space, { reason, message, contentId: null }, address);
}

/**
 * Stores a player's report of another player's content. Returns the time of the report in epoch milliseconds.
 * @throws `not_found` and `rate_limited`
 */
export async function reportContent(
  platform: Platform,
  { space, env }: Pick<PlayedSpace, 'space' | 'env'>,
  { id, ...what }: Pick<Report, 'reason' | 'message'> & { readonly id: ContentId },
  address: string,
): Promise<number> {
  await requireShownItem(platform.database.db, { spaceId: space.id, env }, id);
  return keepReport(platform, space, { ...what, contentId: id }, address);
}

async function keepReport(
  { database, clock, config }: Platform,
  space: SpaceRow,
  {
    reason,
    message,
    contentId,
  }: Pick<Report, 'reason' | 'message'> & { readonly contentId: ContentId | null },
  address: string,
): Promise<number> {
  const now = clock.now();
  const limit = { count: config.REPORTS_PER_HOUR, seconds: hourSeconds };
  await database.transaction(async (tx) => {
    const sentence = 'Too many reports came from your network; try again later.';
    await requireWithin(tx, `report-from:${networkOf(address)}`, limit, sentence);
    const about = { id: newId('rep'), space_id: space.id, content_id: contentId };
    const row = { ...about, reason, message, reported_at: now };
    await insertReport(tx, { ...row, state: 'open', note: null, decided_by: null, decided_at: null });
    // The message is only for operators, so webhooks do not get it.
    await tellWebhooks(tx, space, 'report.opened', {
      reason,
      ...(contentId !== null && { content: contentId }),
    });
  });
  return now;
}

/** Returns a page of reports: open ones first, then decided ones, each the newest first. */
export async function listReports(
  platform: Platform,
  { state, cursor, limit }: ListQuery & { state?: 'open' | 'decided' | undefined },
): Promise<{ reports: Report[]; next: string | null }> {
  const rows = await findReports(platform.database.db, {
    state,
    after: decodeCursor(cursor),
    limit: limit + 1,
  });
  const { page, next } = pageOf(rows, limit, (row) => ({ value: sortValueOf(row), id: row.id }));
  return { reports: page.map((row) => toReport(platform, row)), next };
}

/**
 * Decides a report, once, in one transaction. An action on the space, its owner, or content in it closes all open
 * reports about it with the same note.
 * @throws `not_found`, and `conflict` if the report was decided, or the action on the space is not possible
 */
export async function decideReport(
  platform: Platform,
  id: ReportId,
  { action, note, message }: BodyOf<typeof decideOperation>,
  by: Actor,
): Promise<Report> {
  const { database } = platform;
  await database.transaction(async (tx) => {
    const found = await findReport(tx.db, id);
    if (!found) throw noReport();
    if (message !== undefined && !toldDecisions.has(action)) throw nobodyToTell(action);
    // What is acted on is locked before its reports, as everywhere.
    const deed = { reason: note, message: message ?? null, by };
    const others = await actOn(platform, tx, found, action, deed);
    const as = action === 'dismiss' || action === 'dismiss_all' ? 'dismissed' : 'resolved';
    const closed = await closeReports(tx, [...new Set([id, ...others])], { as, note, by });
    if (!closed.includes(id)) throw new ServiceError('conflict', 'The report was decided already.');
  });
  const row = await findReport(database.db, id);
  if (!row) throw noReport();
  return toReport(platform, row);
}

type Decision = BodyOf<typeof decideOperation>['action'];

/**
 * Does what was decided about the subject of a report. Returns the open reports that it settles.
 * @throws `conflict` if it is not possible
 */
async function actOn(
  platform: Platform,
  tx: Tx,
  found: ReportRow,
  action: Decision,
  deed: { readonly reason: string; readonly message: string | null; readonly by: Actor },
): Promise<ReportId[]> {
  const about = { spaceId: found.space_id };
  switch (action) {
    case 'hold':
    case 'hide':
    case 'remove':
      await setState(platform, tx, found.space_id, { action, ...deed });
      return findOpenReportsOf(tx, about);
    case 'remove_content':
      return findOpenReportsOf(tx, {
        ...about,
        contentId: await removeReported(tx, found, deed.reason, deed.by),
      });
    case 'ban': {
      if (found.owner === null) throw new ServiceError('conflict', 'Nobody owns the space.');
      const owner = await namedAccount(tx, found.owner);
      await ban(platform, tx, owner, { banned: true, ...deed });
      return findOpenReportsOfOwner(tx, owner.id);
    }
    case 'dismiss_all':
      return findOpenReportsOf(tx, { ...about, contentId: found.content_id });
    case 'dismiss':
    case 'resolve':
      return [];
  }
}

/**
 * Deletes the reported content. Content that was deleted in the meantime is no error.
 * @throws `conflict` for a report about the space itself
 */
async function removeReported(
  tx: Tx,
  { space_id, content_id }: ReportRow,
  reason: string,
  by: Actor,
): Promise<ContentId> {
  if (content_id === null)
    throw new ServiceError('conflict', 'The report is about the space itself, not about content in it.');
  if (await dropItem(tx, space_id, content_id)) {
    const subject = `space:${space_id}`;
    await audit(tx, { actor: by, action: 'remove_content', subject, reason });
  }
  return content_id;
}

function nobodyToTell(action: string): ServiceError {
  const text = `Nobody is told of «${action}».`;
  return new ServiceError('invalid', text, {
    issues: [{ path: 'message', message: 'goes only with an action on the space' }],
  });
}

export function noReport(): ServiceError {
  return new ServiceError('not_found', 'There is no such report.');
}

export function toReport({ urls }: Platform, row: ReportRow): Report {
  const { slug, title, spaceState, owner, deciderHandle, decided_by, space_id: _, ...others } = row;
  const { content_id: id, contentKind: kind, contentTitle, contentMaker, ...report } = others;
  return {
    ...report,
    space: { slug, title, state: spaceState, owner, service_url: urls.page(slug) },
    content: id === null ? null : { id, kind, title: contentTitle, handle: contentMaker },
    // The schema has checked the values of these columns.
    reason: report.reason as Report['reason'],
    decided_by: deciderHandle ?? decided_by,
    reported_at: toTimestamp(report.reported_at),
    decided_at: report.decided_at === null ? null : toTimestamp(report.decided_at),
  };
}
