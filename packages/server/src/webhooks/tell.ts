import { keptDeliveries, type WebhookEvent } from '@spaceport/contract/webhook-events';
import type { SpaceId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import { type RateLimit, takeFromLimit } from '../platform/limits/rate-limit.ts';
import { deleteOldDeliveries, insertDelivery } from './deliveries.queries.ts';
import { type EventData, newEvent, type ToldSpace } from './events.ts';
import { findSwitchedOn, findSwitchedOnAmong, type WebhookRow } from './webhooks.queries.ts';

/** The job that sends a webhook its waiting events. Its ref is the webhook's id. */
export const webhookJob = 'webhook';

/** Returns the limit of events for a space's webhooks: the name of the bucket, and the limit. */
export function hourly(tx: Pick<Tx, 'config'>, spaceId: SpaceId): { bucket: string; limit: RateLimit } {
  return {
    bucket: `webhooks:${spaceId}`,
    limit: { count: tx.config.WEBHOOK_EVENTS_PER_HOUR, seconds: 3_600 },
  };
}

/**
 * Writes an event for the webhooks of a space. It is sent only if this transaction commits. The caller has
 * taken its own locks before.
 * @param data the event's data besides its space
 */
export async function tellWebhooks(
  tx: Tx,
  space: ToldSpace,
  type: WebhookEvent,
  data: EventData = {},
): Promise<void> {
  const listening = await findListening(tx, space.id, type);
  if (listening.length === 0) return;
  const { bucket, limit } = hourly(tx, space.id);
  const { allowed } = await takeFromLimit(tx, bucket, limit);
  const event = newEvent(tx, space, type, data);
  for (const { id } of listening) {
    await insertDelivery(tx, { webhookId: id, spaceId: space.id }, event, allowed);
    if (allowed) await tx.enqueue(webhookJob, id);
    else await deleteOldDeliveries(tx, id, keptDeliveries);
  }
}

/** Returns those of these spaces of which a webhook listens to this event. */
export async function listeningAmong(
  tx: Tx,
  spaceIds: readonly SpaceId[],
  type: WebhookEvent,
): Promise<ReadonlySet<SpaceId>> {
  const all = await findSwitchedOnAmong(tx, spaceIds);
  return new Set(all.flatMap(({ space_id, events }) => (fromJson(events).includes(type) ? [space_id] : [])));
}

async function findListening(
  tx: Tx,
  spaceId: SpaceId,
  type: WebhookEvent,
): Promise<Pick<WebhookRow, 'id'>[]> {
  const all = await findSwitchedOn(tx, spaceId);
  return all.filter(({ events }) => fromJson(events).includes(type));
}
