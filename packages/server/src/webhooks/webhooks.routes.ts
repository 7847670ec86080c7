import * as contract from '@spaceport/contract/webhooks';
import type { Platform } from '../platform/context.ts';
import type { Binder } from '../platform/http/operations.ts';
import { requireActive, requireCreator } from '../spaces/rights.ts';
import { listDeliveries, sendAgain, sendTest } from './deliveries.ts';
import { etagOf, putWebhooks, readWebhooks } from './webhooks.ts';

/** Binds the operations by which the owner of a space manages its webhooks and reads their deliveries. */
export function bindWebhooks(binder: Binder, platform: Platform): void {
  binder.bind(contract.readWebhooks, async ({ params, caller }) => {
    const webhooks = await readWebhooks(platform, requireCreator(caller), params.slug);
    return { headers: { etag: etagOf(webhooks) }, body: { webhooks } };
  });
  binder.bind(contract.putWebhooks, async ({ params, body, caller, headers }) => {
    const webhooks = await putWebhooks(platform, requireActive(caller), params.slug, {
      wanted: body.webhooks,
      ifMatch: headers['if-match'],
    });
    return { headers: { etag: etagOf(webhooks) }, body: { webhooks } };
  });
  binder.bind(contract.readDeliveries, async ({ params, caller }) => ({
    body: { deliveries: await listDeliveries(platform, requireCreator(caller), params) },
  }));
  binder.bind(contract.resendDelivery, async ({ params, caller }) => ({
    body: await sendAgain(platform, requireActive(caller), params),
  }));
  binder.bind(contract.testWebhook, async ({ params, caller }) => ({
    body: await sendTest(platform, requireActive(caller), params),
  }));
}
