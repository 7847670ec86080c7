import { hash } from 'node:crypto';
import type { BodyOf } from '@spaceport/contract/operation';
import type { putWebhooks as putOperation, Webhook, WrittenWebhook } from '@spaceport/contract/webhooks';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { fromJson, toJson } from '../platform/db/json.ts';
import { ServiceError } from '../platform/errors.ts';
import type { CreatorCaller } from '../platform/http/caller.ts';
import { matchesEtag } from '../platform/http/public-cache.ts';
import { FetchRefused } from '../platform/safe-fetch/refusal.ts';
import { newId } from '../platform/secrets/id.ts';
import { lockOwnSpace } from '../spaces/lock-own-space.ts';
import { ownView } from '../spaces/space-view.ts';
import { deleteDeliveriesOf } from './deliveries.queries.ts';
import { newKey, secretOf } from './signing.ts';
import {
  deleteWebhook,
  findWebhooks,
  insertWebhook,
  rewriteWebhook,
  type WebhookRow,
} from './webhooks.queries.ts';

type Wanted = BodyOf<typeof putOperation>['webhooks'];

/** @throws `not_found` */
export async function readWebhooks(
  { database: { db } }: Platform,
  caller: CreatorCaller,
  slug: string,
): Promise<Webhook[]> {
  const { id } = await ownView(db, slug, caller);
  return (await findWebhooks(db, id)).map(toWebhook);
}

/** Returns the ETag of a list: of what its writer decides, which deliveries do not change. */
export function etagOf(webhooks: readonly Pick<Webhook, 'id' | 'events'>[]): string {
  return `"${hash('sha256', JSON.stringify(webhooks.map(({ id, events }) => [id, events])), 'base64url')}"`;
}

/**
 * Replaces the whole list of a space's webhooks. New ones are returned with their signing key.
 * @param given.ifMatch the If-Match header
 * @throws `not_found`, `precondition_failed`, and `invalid` for an address that is not on the public web, or named twice
 */
export async function putWebhooks(
  platform: Platform,
  caller: CreatorCaller,
  slug: string,
  given: { readonly wanted: Wanted; readonly ifMatch: string | undefined },
): Promise<WrittenWebhook[]> {
  const wanted = readAddresses(platform, given.wanted);
  return platform.database.transaction(async (tx) => {
    const { id: spaceId } = await lockOwnSpace(tx, slug, caller);
    const before = await findWebhooks(tx.db, spaceId);
    requireUnchanged(before, given.ifMatch);
    const known = new Map(before.map((row) => [row.url, row.id]));
    for (const [url, id] of known) {
      if (wanted.some((one) => one.url === url)) continue;
      await deleteWebhook(tx, id);
      await deleteDeliveriesOf(tx, id);
    }
    for (const [position, { url, events }] of wanted.entries()) {
      const id = known.get(url);
      const written = { events: toJson(events), position };
      if (id !== undefined) await rewriteWebhook(tx, id, written);
      else
        await insertWebhook(tx, {
          id: newId('whk'),
          space_id: spaceId,
          url,
          ...written,
          key: newKey(),
          off_at: null,
          off_reason: null,
          failures: 0,
          paused_until: null,
          created_at: tx.now,
        });
    }
    return (await findWebhooks(tx.db, spaceId)).map((row) => ({
      ...toWebhook(row),
      secret: known.has(row.url) ? null : secretOf(row.key),
    }));
  });
}

function requireUnchanged(before: readonly WebhookRow[], ifMatch: string | undefined): void {
  if (ifMatch === undefined || matchesEtag(ifMatch, etagOf(before.map(toWebhook)), 'strong')) return;
  throw new ServiceError(
    'precondition_failed',
    'The list changed since the ETag in If-Match was read; read it again.',
  );
}

/**
 * Returns the webhooks with normalized addresses, so that an existing one is recognized however it is spelt.
 */
function readAddresses({ safeFetch }: Pick<Platform, 'safeFetch'>, given: Wanted): Wanted {
  const read = given.map(({ url, events }, index) => {
    try {
      return { url: safeFetch.checkUrl(url).href, events };
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      throw wrongUrl(index, 'must be an http or https address on the public web, at port 80 or 443');
    }
  });
  for (const [index, { url }] of read.entries())
    if (read.findIndex((one) => one.url === url) !== index)
      throw wrongUrl(index, 'must not repeat an address of the list');
  return read;
}

function wrongUrl(index: number, message: string): ServiceError {
  return new ServiceError('invalid', 'A webhook cannot have that address.', {
    issues: [{ path: `webhooks.${index}.url`, message }],
  });
}

function toWebhook({ id, url, events, off_at, off_reason, created_at }: WebhookRow): Webhook {
  return {
    id,
    url,
    events: [...fromJson(events)],
    on: off_at === null,
    off_reason,
    off_at: off_at === null ? null : toTimestamp(off_at),
    created_at: toTimestamp(created_at),
  };
}
