import type { Platform } from '../platform/context.ts';
import type { AccountId, ContentId, SpaceId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { deleteItems, findData, findItem, type Place } from './content.queries.ts';
import { withdrawLikes } from './likes.queries.ts';
import { noItem } from './show-items.ts';

export type { Place } from './content.queries.ts';
export { withdrawLikes } from './likes.queries.ts';
export { noItem } from './show-items.ts';

/**
 * Deletes an item of the player, in one place if it is named, else anywhere.
 * @throws `not_found` if it is not the player's
 */
export async function removeOwn(
  { database }: Pick<Platform, 'database'>,
  own: { id: ContentId; playerId: AccountId } & Partial<Place>,
): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await deleteItems(tx, own)) === 0) throw noItem();
  });
}

/** Deletes an item of a space. Returns false if it is gone. */
export async function dropItem(tx: Tx, spaceId: SpaceId, id: ContentId): Promise<boolean> {
  return (await deleteItems(tx, { id, spaceId })) > 0;
}

/**
 * Checks that everyone may see the item.
 * @throws `not_found`
 */
export async function requireShownItem(db: Db, place: Place, id: ContentId): Promise<void> {
  if (!(await findItem(db, place, { id, viewer: null }))) throw noItem();
}

/** Returns the content of an item, whoever may see it; undefined if it is gone (JSON is never undefined). */
export async function readWhole(db: Db, id: ContentId): Promise<unknown> {
  const data = (await findData(db, [id])).get(id);
  return data === undefined ? undefined : fromJson(data);
}

/**
 * Deletes what players, or one player, have published in the sandbox of a space. Returns
 * how many items there were.
 */
export async function clearSandboxContent(
  tx: Tx,
  { spaceId, playerId }: { spaceId: SpaceId; playerId: AccountId | undefined },
): Promise<number> {
  if (playerId !== undefined) await withdrawLikes(tx, playerId, { spaceId, env: 'sandbox' });
  return deleteItems(tx, { spaceId, env: 'sandbox', playerId });
}

/** Deletes everything that a player has published, and withdraws all their likes. */
export async function forgetContent(tx: Tx, playerId: AccountId): Promise<void> {
  await withdrawLikes(tx, playerId);
  await deleteItems(tx, { playerId });
}
