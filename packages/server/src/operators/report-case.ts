import { pictureOf } from '@spaceport/contract/picture-of';
import type { ReportCase } from '@spaceport/contract/reports';
import { readWhole } from '../content/content.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { ReportId } from '../platform/db/ids.ts';
import { toOwnSpace, viewById } from '../spaces/space-view.ts';
import { countReportsOf, findActionsOn, findOtherReports, findReport } from './reports.queries.ts';
import { noReport, toReport } from './reports.ts';

const maxEvents = 30;

/**
 * Returns a report with everything that an operator needs to decide it.
 * @throws `not_found`
 */
export async function readCase(platform: Platform, id: ReportId): Promise<ReportCase> {
  const { database, urls } = platform;
  const { db } = database;
  const row = await findReport(db, id);
  if (!row) throw noReport();
  const [view, counts, reports, actions, content] = await Promise.all([
    viewById(db, row.space_id),
    countReportsOf(db, row.space_id),
    findOtherReports(db, row, maxEvents),
    findActionsOn(db, row.space_id, maxEvents),
    row.content_id === null ? null : readWhole(db, row.content_id),
  ]);
  const space = toOwnSpace(urls, view);
  const events: (Omit<ReportCase['history'][number], 'at'> & { at: number })[] = [
    ...reports.map(({ reported_at: at, reason, message }) => ({
      at,
      what: 'reported',
      by: null,
      text: message === '' ? reason : `${reason}: ${message}`,
    })),
    ...actions.map(({ at, action, actor, handle, reason }) => ({
      at,
      what: action,
      by: handle ?? actor,
      text: reason,
    })),
  ];
  return {
    report: toReport(platform, row),
    content_data: content ?? null,
    play_url: space.url,
    // The picture is shown only for a space that everyone may see.
    picture: view.state === 'listed' ? (pictureOf(space)?.url ?? null) : null,
    open_reports: counts.open,
    all_reports: counts.all,
    history: events
      .sort((one, other) => other.at - one.at)
      .slice(0, maxEvents)
      .map(({ at, ...event }) => ({ at: toTimestamp(at), ...event })),
  };
}
