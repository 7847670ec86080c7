import { reportSpace } from '@spaceport/contract/reports';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Binder } from '../platform/http/operations.ts';
import { isFromAnotherSite } from '../platform/http/same-origin.ts';
import { reportSpace as keepReport } from './reports.ts';

/** Players report a space from its page, without an account. */
export function bindReports(binder: Binder, platform: Platform): void {
  binder.bind(reportSpace, async ({ params, body, headers, address }) => {
    if (isFromAnotherSite(headers, platform.urls.app))
      throw new ServiceError('cross_site', "The report was sent from another site's page.");
    return { body: { reported_at: toTimestamp(await keepReport(platform, params.slug, body, address)) } };
  });
}
