import { type Selectable, sql } from 'kysely';
import { oneOf } from '../platform/db/dialect.ts';
import type { SpaceId, WebhookId } from '../platform/db/ids.ts';
import type { Db, WebhooksTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export type WebhookRow = Selectable<WebhooksTable>;

/** Returns a space's webhooks in the order of its owner's list. */
export async function findWebhooks(db: Db, spaceId: SpaceId): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('space_id', '=', spaceId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Returns the webhooks that are on, in the order in which their jobs are locked. */
export async function findSwitchedOn(tx: Tx, spaceId: SpaceId): Promise<Pick<WebhookRow, 'id' | 'events'>[]> {
  return tx.db
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('space_id', '=', spaceId)
    .where('off_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Returns the webhooks of these spaces that are on. */
export async function findSwitchedOnAmong(
  tx: Tx,
  spaceIds: readonly SpaceId[],
): Promise<Pick<WebhookRow, 'space_id' | 'events'>[]> {
  return tx.db
    .selectFrom('webhooks')
    .select(['space_id', 'events'])
    .where('space_id', 'in', oneOf(tx.db, spaceIds))
    .where('off_at', 'is', null)
    .execute();
}

export async function findWebhook(db: Db, spaceId: SpaceId, id: WebhookId): Promise<WebhookRow | undefined> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('space_id', '=', spaceId)
    .executeTakeFirst();
}

/** A webhook with the facts that decide whether it is sent anything. */
export type WebhookTarget = Pick<
  WebhookRow,
  'id' | 'space_id' | 'url' | 'key' | 'off_at' | 'paused_until'
> & {
  readonly deletedAt: number | null;
  readonly ownerBanned: number;
};

export async function findTarget(db: Db, id: WebhookId): Promise<WebhookTarget | undefined> {
  return db
    .selectFrom('webhooks as webhook')
    .innerJoin('spaces as space', 'space.id', 'webhook.space_id')
    .select(['webhook.id', 'webhook.space_id', 'webhook.url', 'webhook.key', 'webhook.off_at'])
    .select('webhook.paused_until')
    .select(['space.deleted_at as deletedAt', 'space.owner_banned as ownerBanned'])
    .where('webhook.id', '=', id)
    .executeTakeFirst();
}

export async function insertWebhook(tx: Tx, webhook: WebhookRow): Promise<void> {
  await tx.db.insertInto('webhooks').values(webhook).execute();
}

/** Updates an existing webhook and switches it on, without a pause. */
export async function rewriteWebhook(
  tx: Tx,
  id: WebhookId,
  change: Pick<WebhookRow, 'events' | 'position'>,
): Promise<void> {
  await tx.db
    .updateTable('webhooks')
    .set({ ...change, off_at: null, off_reason: null, failures: 0, paused_until: null })
    .where('id', '=', id)
    .execute();
}

export async function deleteWebhook(tx: Tx, id: WebhookId): Promise<void> {
  await tx.db.deleteFrom('webhooks').where('id', '=', id).execute();
}

/**
 * Counts a failed attempt, or resets the count after a success, and ends the pause. Returns the number of failures in a
 * row; null if the webhook is gone.
 */
export async function noteAttempt(tx: Tx, id: WebhookId, failed: boolean): Promise<number | null> {
  const row = await tx.db
    .updateTable('webhooks')
    .set({ failures: failed ? sql<number>`failures + 1` : 0, paused_until: null })
    .where('id', '=', id)
    .returning('failures')
    .executeTakeFirst();
  return row?.failures ?? null;
}

/** Sends the webhook nothing before an instant in epoch milliseconds; null ends the pause. */
export async function setPause(tx: Tx, id: WebhookId, until: number | null): Promise<void> {
  await tx.db.updateTable('webhooks').set({ paused_until: until }).where('id', '=', id).execute();
}

/** Switches a webhook off. Returns false if it is off already, or gone. */
export async function switchOff(
  tx: Tx,
  id: WebhookId,
  reason: NonNullable<WebhookRow['off_reason']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('webhooks')
    .set({ off_at: tx.now, off_reason: reason })
    .where('id', '=', id)
    .where('off_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
