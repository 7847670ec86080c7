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
 * Takes back what the player has published: in a place where one is named, else wherever it is.
 * @throws `not_found` for what is not the player's
 */
export async function removeOwn(
  { database }: Pick<Platform, 'database'>,
  own: { id: ContentId; playerId: AccountId } & Partial<Place>,
): Promise<void> {
  await database.transaction(async (tx) => {
    if ((await deleteItems(tx, own)) === 0) throw noItem();
  });
}

/** Deletes something of a space. Returns false where it is gone. */
export async function dropItem(tx: Tx, spaceId: SpaceId, id: ContentId): Promise<boolean> {
  return (await deleteItems(tx, { id, spaceId })) > 0;
}

/**
 * Sees to it that anyone is shown it.
 * @throws `not_found`
 */
export async function requireShownItem(db: Db, place: Place, id: ContentId): Promise<void> {
  if (!(await findItem(db, place, { id, viewer: null }))) throw noItem();
}

/** What one holds, whoever may see it; undefined, which JSON never is, where it is gone. */
export async function readWhole(db: Db, id: ContentId): Promise<unknown> {
  const data = (await findData(db, [id])).get(id);
  return data === undefined ? undefined : fromJson(data);
}

/** Deletes what players have published in the sandbox of a space, or one of them; returns how many there were. */
export async function clearSandboxContent(
  tx: Tx,
  { spaceId, playerId }: { spaceId: SpaceId; playerId: AccountId | undefined },
): Promise<number> {
  if (playerId !== undefined) await withdrawLikes(tx, playerId, { spaceId, env: 'sandbox' });
  return deleteItems(tx, { spaceId, env: 'sandbox', playerId });
}

/** Deletes what a player has published anywhere, and takes back all likes. */
export async function forgetContent(tx: Tx, playerId: AccountId): Promise<void> {
  await withdrawLikes(tx, playerId);
  await deleteItems(tx, { playerId });
}
