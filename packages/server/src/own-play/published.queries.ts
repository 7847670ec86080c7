import type { AccountId, ContentId } from '../platform/db/ids.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';
import { most } from './own-play.queries.ts';

function selectMade(db: Db) {
  return db
    .selectFrom('content as own')
    .innerJoin('spaces as space', 'space.id', 'own.space_id')
    .select(['own.id', 'space.slug', 'space.title as space_title', 'own.kind', 'own.title'])
    .select(['own.likes', 'own.bytes', 'own.created_at']);
}

/** Returns live content that the account has published, the newest first, without the data. */
export const findMade = (db: Db, accountId: AccountId) => madeBy(db, { accountId });

const madeBy = prepared((db, { accountId }: Given<{ accountId: AccountId }>) =>
  selectMade(db)
    .where('own.player_id', '=', accountId)
    .where('own.env', '=', 'live')
    .orderBy('own.created_at', 'desc')
    .orderBy('own.id')
    .limit(most),
);

export async function findMadeItem(db: Db, accountId: AccountId, id: ContentId) {
  return selectMade(db).where('own.player_id', '=', accountId).where('own.id', '=', id).executeTakeFirst();
}

/** Returns all content that the account has published, without the data. */
export async function findContentHeads(db: Db, accountId: AccountId) {
  return db
    .selectFrom('content as own')
    .innerJoin('spaces as space', 'space.id', 'own.space_id')
    .select(['own.id', 'space.slug', 'own.env', 'own.kind', 'own.title', 'own.likes', 'own.created_at'])
    .where('own.player_id', '=', accountId)
    .orderBy('own.space_id')
    .orderBy('own.env')
    .orderBy('own.created_at')
    .orderBy('own.id')
    .execute();
}

/** Returns the account's likes of others' content. */
export async function findLikes(db: Db, accountId: AccountId) {
  return db
    .selectFrom('content_likes as own')
    .innerJoin('content as item', 'item.id', 'own.content_id')
    .innerJoin('spaces as space', 'space.id', 'item.space_id')
    .select(['space.slug', 'item.env', 'own.content_id', 'own.at'])
    .where('own.player_id', '=', accountId)
    .orderBy('own.at')
    .orderBy('own.content_id')
    .execute();
}
