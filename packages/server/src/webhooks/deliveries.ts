import { keptDeliveries, testEvent } from '@spaceport/contract/webhook-events';
import type { WebhookDelivery } from '@spaceport/contract/webhooks';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { givenId, type SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { lockOwnSpace } from '../spaces/lock-own-space.ts';
import { ownView } from '../spaces/space-view.ts';
import {
  type DeliveryRow,
  deleteDeliveriesBefore,
  findDeliveries,
  insertDelivery,
  startOver,
} from './deliveries.queries.ts';
import { newEvent } from './events.ts';
import { hourly, webhookJob } from './tell.ts';
import { findWebhook, setPause, type WebhookRow } from './webhooks.queries.ts';

const keptMs = 30 * 24 * 3_600_000;

/** The names of a webhook in a call. */
export interface NamedWebhook {
  readonly slug: string;
  readonly id: string;
}

/** @throws `not_found` */
export async function listDeliveries(
  { database: { db } }: Platform,
  caller: CreatorCaller,
  { slug, id }: NamedWebhook,
): Promise<WebhookDelivery[]> {
  const space = await ownView(db, slug, caller);
  const webhook = await ofSpace(db, space.id, id);
  return (await findDeliveries(db, webhook.id, keptDeliveries)).map(toDelivery);
}

/** @throws `not_found`, `conflict` while the webhook is off, and `rate_limited` */
export async function sendAgain(
  { database }: Platform,
  caller: CreatorCaller,
  { slug, id, delivery }: NamedWebhook & { readonly delivery: string },
): Promise<WebhookDelivery> {
  return database.transaction(async (tx) => {
    const space = await lockOwnSpace(tx, slug, caller);
    const webhook = await takeTurn(tx, space.id, id);
    const row = await startOver(tx, webhook.id, delivery);
    if (!row) throw new ServiceError('not_found', 'The webhook has no such delivery.');
    return toDelivery(row);
  });
}

/** @throws `not_found`, `conflict` while the webhook is off, and `rate_limited` */
export async function sendTest(
  { database }: Platform,
  caller: CreatorCaller,
  { slug, id }: NamedWebhook,
): Promise<WebhookDelivery> {
  return database.transaction(async (tx) => {
    const space = await lockOwnSpace(tx, slug, caller);
    const webhook = await takeTurn(tx, space.id, id);
    const event = newEvent(tx, space, testEvent, {});
    return toDelivery(await insertDelivery(tx, { webhookId: webhook.id, spaceId: space.id }, event, true));
  });
}

/** Deletes old deliveries: their events name players, whose accounts may be gone by now. */
export async function sweepDeliveries({ database, clock }: Platform): Promise<void> {
  await deleteDeliveriesBefore(database.db, clock.now() - keptMs);
}

/**
 * Returns a webhook that may be sent one more event, and ends its pause: its owner wants to see the answer. Its job is
 * locked, and so are all writes of its deliveries.
 */
async function takeTurn(tx: Tx, spaceId: SpaceId, id: string): Promise<WebhookRow> {
  const webhook = await ofSpace(tx.db, spaceId, id);
  if (webhook.off_at !== null)
    throw new ServiceError(
      'conflict',
      'The webhook is switched off: save the list of webhooks again to switch it on.',
    );
  const { bucket, limit } = hourly(tx, spaceId);
  const sentence = 'The webhooks of this space got too many events in the last hour; try again later.';
  await requireWithin(tx, bucket, limit, sentence);
  await tx.enqueue(webhookJob, webhook.id);
  await setPause(tx, webhook.id, null);
  return webhook;
}

async function ofSpace(db: Db, spaceId: SpaceId, id: string): Promise<WebhookRow> {
  const webhook = await findWebhook(db, spaceId, givenId('whk', id));
  if (!webhook) throw new ServiceError('not_found', 'The space has no such webhook.');
  return webhook;
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  const { event_id: id, type, state, attempts, next_at, tried_at, status, answer, ms } = row;
  return {
    id,
    type,
    state,
    attempts,
    next_attempt_at: next_at === null ? null : toTimestamp(next_at),
    answer: tried_at === null ? null : { at: toTimestamp(tried_at), ms: ms ?? 0, status, body: answer ?? '' },
    created_at: toTimestamp(row.created_at),
  };
}
