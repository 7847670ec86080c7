import { hash } from 'node:crypto';
import { type ContentItem, maxContentBytes } from '@spaceport/contract/content';
import { requireWelcome } from '../boards/banned.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId } from '../platform/db/ids.ts';
import { toJson } from '../platform/db/json.ts';
import type { Tx } from '../platform/db/tx.ts';
import { ServiceError } from '../platform/errors.ts';
import { requireWithin } from '../platform/limits/rate-limit.ts';
import { newId } from '../platform/secrets/id.ts';
import type { PlayCaller } from '../players/play-caller.ts';
import { type ContentRow, countItems, findSame, insertItem, type Place } from './content.queries.ts';
import { readItem } from './read-content.ts';

const hourSeconds = 3_600;

/**
 * Publishes content of an account with a handle, for everyone who plays there. The same content of one player
 * is stored once, even if several requests come at once.
 * @throws `too_large`, `no_handle`, `banned`, `too_many` and `rate_limited`
 */
export async function publishContent(
  { database }: Pick<Platform, 'database'>,
  place: Place,
  who: Extract<PlayCaller, { kind: 'account' }>,
  given: { kind: string; title: string; data: unknown },
): Promise<ContentItem> {
  if (who.handle === null)
    throw new ServiceError('no_handle', 'Pick a handle before publishing: others see it beside your work.');
  const { kind, title } = given;
  const data = toJson(given.data);
  const bytes = Buffer.byteLength(data);
  if (bytes > maxContentBytes)
    throw new ServiceError('too_large', `What a player publishes is over ${maxContentBytes} bytes.`, {
      maxBytes: maxContentBytes,
    });
  const digest = hash('sha256', JSON.stringify([kind, title, data]), 'base64url');
  const id = await database.transaction(async (tx) => {
    await requireWelcome(tx, place.spaceId, who.playerId);
    const row: ContentRow = {
      id: newId('cnt'),
      space_id: place.spaceId,
      env: place.env,
      player_id: who.playerId,
      kind,
      title,
      data,
      bytes,
      digest,
      likes: 0,
      created_at: tx.now,
    };
    // The lock covers all spaces, because the hourly limit does.
    await tx.lock(`content:${who.playerId}`);
    const same = await findSame(tx, row);
    if (same !== undefined) return same;
    await requireRoom(tx, place, who.playerId);
    await insertItem(tx, row);
    return row.id;
  });
  return readItem(database.db, place, who, id);
}

async function requireRoom(tx: Tx, place: Place, playerId: AccountId): Promise<void> {
  const { CONTENT_PER_PLAYER: most, CONTENT_PER_HOUR: count } = tx.config;
  if ((await countItems(tx, place, playerId)) >= most)
    throw new ServiceError(
      'too_many',
      `You have published ${most} things here, which is the limit: remove one first.`,
    );
  const limit = { count, seconds: hourSeconds };
  await requireWithin(
    tx,
    `content:${playerId}`,
    limit,
    'You have published much in this hour; wait a while.',
  );
}
