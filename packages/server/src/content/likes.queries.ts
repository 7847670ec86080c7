import { sql } from 'kysely';
import { oneOf } from '../platform/db/dialect.ts';
import type { AccountId, ContentId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Place } from './content.queries.ts';

/** Returns false if the player likes it already. */
export async function insertLike(tx: Tx, id: ContentId, playerId: AccountId): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('content_likes')
    .values({ content_id: id, player_id: playerId, at: tx.now })
    .onConflict((conflict) => conflict.columns(['content_id', 'player_id']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns false if the player does not like it. */
export async function deleteLike(tx: Tx, id: ContentId, playerId: AccountId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('content_likes')
    .where('content_id', '=', id)
    .where('player_id', '=', playerId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Returns the number of likes after the change; null if the item is gone. */
export async function countLike(tx: Tx, id: ContentId, by: 1 | -1 | 0): Promise<number | null> {
  const row = await tx.db
    .updateTable('content')
    .set({ likes: sql<number>`likes + ${sql.lit(by)}` })
    .where('id', '=', id)
    .returning('likes')
    .executeTakeFirst();
  return row?.likes ?? null;
}

/** Withdraws the likes of a player: everywhere, in a space, or in one env of it. */
export async function withdrawLikes(tx: Tx, playerId: AccountId, place: Partial<Place> = {}): Promise<void> {
  const { spaceId, env } = place;
  let liked = tx.db
    .selectFrom('content_likes as own')
    .innerJoin('content as item', 'item.id', 'own.content_id')
    .select('own.content_id')
    .where('own.player_id', '=', playerId);
  if (spaceId !== undefined) liked = liked.where('item.space_id', '=', spaceId);
  if (env !== undefined) liked = liked.where('item.env', '=', env);
  // Counted down by what was deleted: on PostgreSQL a second look would find likes that were given since the first.
  const withdrawn = await tx.db
    .deleteFrom('content_likes')
    .where('player_id', '=', playerId)
    .where('content_id', 'in', liked)
    .returning('content_id')
    .execute();
  const ids = withdrawn.map(({ content_id }) => content_id);
  await tx.db
    .updateTable('content')
    .set({ likes: sql<number>`likes - 1` })
    .where('id', 'in', oneOf(tx.db, ids))
    .execute();
}
