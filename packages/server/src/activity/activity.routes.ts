import * as activity from '@spaceport/contract/activity';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { requireCreator } from '../spaces/rights.ts';
import { readActivity } from './activity.ts';

export function bindActivity(binder: Binder, platform: Platform): void {
  binder.bind(activity.readActivity, async ({ params, query, caller }) => ({
    body: await readActivity(platform, requireCreator(caller), params.slug, query.days),
  }));
}
