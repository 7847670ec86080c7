import { reportContent } from '@spaceport/contract/content';
import { reportSpace } from '@spaceport/contract/reports';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { givenId } from '../platform/db/ids.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import { isFromAnotherSite } from '../platform/http/same-origin.ts';
import { playedSpace } from '../player-calls/played-space.ts';
import { playCallerOf } from '../players/play-caller.ts';
import { reportContent as keepContentReport, reportSpace as keepReport } from './reports.ts';

/** Binds the operations by which players report a space, or what others made in it, without an account. */
export function bindReports(binder: Binder, platform: Platform): void {
  binder.bind(reportSpace, async ({ params, body, headers, address }) => {
    if (isFromAnotherSite(headers, platform.urls.app))
      throw new ServiceError('cross_site', "The report was sent from another site's page.");
    return { body: { reported_at: toTimestamp(await keepReport(platform, params.slug, body, address)) } };
  });

  binder.bind(reportContent, async ({ caller, params, body, address }) => {
    const played = await playedSpace(platform, body.space, playCallerOf(caller));
    const { reason, message } = body;
    const id = givenId('cnt', params.id);
    const at = await keepContentReport(platform, played, { id, reason, message }, address);
    return { body: { reported_at: toTimestamp(at) } };
  });
}
