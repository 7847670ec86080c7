import { requireWelcome } from '../boards/banned.ts';
import type { Platform } from '../platform/context.ts';
import type { AccountId, ContentId } from '../platform/db/ids.ts';
import { findItem, type Place } from './content.queries.ts';
import { countLike, deleteLike, insertLike } from './likes.queries.ts';
import { noItem } from './show-items.ts';

/**
 * Likes an item, or withdraws the like. Repeating either changes nothing. Returns the
 * number of likes afterwards.
 * @throws `not_found` and `banned`
 */
export async function likeContent(
  { database }: Pick<Platform, 'database'>,
  place: Place,
  playerId: AccountId,
  { id, on }: { id: ContentId; on: boolean },
): Promise<{ liked: boolean; likes: number }> {
  return database.transaction(async (tx) => {
    if (on) await requireWelcome(tx, place.spaceId, playerId);
    if (!(await findItem(tx.db, place, { id, viewer: playerId }))) throw noItem();
    const likes = on
      ? await countLike(tx, id, (await insertLike(tx, id, playerId)) ? 1 : 0)
      : await countLike(tx, id, (await deleteLike(tx, id, playerId)) ? -1 : 0);
    // The item was deleted after it was found, and the like with it.
    if (likes === null) throw noItem();
    return { liked: on, likes };
  });
}
