import { type Selectable, sql } from 'kysely';
import { deleteUnindexed } from '../platform/db/delete-pieces.ts';
import type { SpaceId, WebhookId } from '../platform/db/ids.ts';
import type { Db, WebhookDeliveriesTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { NewEvent } from './events.ts';

export type DeliveryRow = Selectable<WebhookDeliveriesTable>;

/** Writes an event for a webhook, to be sent now or only to be listed. Returns its row. */
export async function insertDelivery(
  tx: Tx,
  { webhookId, spaceId }: { readonly webhookId: WebhookId; readonly spaceId: SpaceId },
  { id, type, body }: NewEvent,
  isSent: boolean,
): Promise<DeliveryRow> {
  return tx.db
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: webhookId,
      event_id: id,
      space_id: spaceId,
      type,
      body,
      state: isSent ? 'waiting' : 'limited',
      since: tx.now,
      attempts: 0,
      next_at: isSent ? tx.now : null,
      tried_at: null,
      status: null,
      answer: null,
      ms: null,
      created_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns the newest deliveries of a webhook, newest first. */
export async function findDeliveries(db: Db, webhookId: WebhookId, limit: number): Promise<DeliveryRow[]> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('created_at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the due delivery that is to be sent next. */
export async function findDue(db: Db, webhookId: WebhookId, now: number): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('event_id')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Returns when the next delivery of a webhook is to be sent, in epoch milliseconds: not before the end of its pause. Null
 * if none waits.
 */
export async function findNextSend(tx: Tx, webhookId: WebhookId): Promise<number | null> {
  const row = await tx.db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks as webhook', 'webhook.id', 'delivery.webhook_id')
    .select(['delivery.next_at', 'webhook.paused_until'])
    .where('delivery.webhook_id', '=', webhookId)
    .where('delivery.state', '=', 'waiting')
    .orderBy('delivery.next_at')
    .limit(1)
    .executeTakeFirst();
  return row ? Math.max(row.next_at ?? 0, row.paused_until ?? 0) : null;
}

/**
 * Records an attempt. Returns false if the event was scheduled again in the meantime, so that the answer
 * belongs to the earlier round.
 */
export async function noteAnswer(
  tx: Tx,
  { webhook_id, event_id, since }: DeliveryRow,
  answer: Pick<DeliveryRow, 'state' | 'next_at' | 'tried_at' | 'status' | 'answer' | 'ms'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('webhook_deliveries')
    .set({ ...answer, attempts: sql<number>`attempts + 1` })
    .where('webhook_id', '=', webhook_id)
    .where('event_id', '=', event_id)
    .where('since', '=', since)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Schedules an event as if it had happened now. Returns its row after the change. */
export async function startOver(
  tx: Tx,
  webhookId: WebhookId,
  eventId: string,
): Promise<DeliveryRow | undefined> {
  return tx.db
    .updateTable('webhook_deliveries')
    .set({ state: 'waiting', since: tx.now, attempts: 0, next_at: tx.now })
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .returningAll()
    .executeTakeFirst();
}

/** Gives up the waiting deliveries of a webhook. */
export async function endWaiting(tx: Tx, webhookId: WebhookId): Promise<void> {
  await tx.db
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', next_at: null })
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute();
}

export async function deleteDeliveriesOf(tx: Tx, webhookId: WebhookId): Promise<void> {
  await tx.db.deleteFrom('webhook_deliveries').where('webhook_id', '=', webhookId).execute();
}

/** Deletes deliveries of events before `before` (epoch milliseconds), except waiting ones. */
export async function deleteDeliveriesBefore(db: Db, before: number): Promise<void> {
  await deleteUnindexed(db, 'webhook_deliveries', sql`created_at < ${before} and state != 'waiting'`);
}

/** Deletes deliveries that nobody can read any more: those after the newest `kept`, except waiting ones. */
export async function deleteOldDeliveries(tx: Tx, webhookId: WebhookId, kept: number): Promise<void> {
  const oldest = await tx.db
    .selectFrom('webhook_deliveries')
    .select('created_at')
    .where('webhook_id', '=', webhookId)
    .orderBy('created_at', 'desc')
    .orderBy('event_id', 'desc')
    .offset(kept - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await tx.db
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('created_at', '<', oldest.created_at)
    .where('state', '!=', 'waiting')
    .execute();
}
