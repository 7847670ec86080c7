import type { AccountId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';

export async function isDeleted({ db }: { db: Db }, accountId: AccountId): Promise<boolean> {
  const row = await db
    .selectFrom('creators')
    .select('deleted_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined && row.deleted_at !== null;
}

/** Selects spaces to whose boards the account has ever posted. */
function spacesPosted(db: Db, accountId: AccountId) {
  return db
    .selectFrom('board_players as posted')
    .innerJoin('boards', 'boards.id', 'posted.board_id')
    .select('space_id')
    .distinct()
    .where('posted.player_id', '=', accountId);
}

/** Returns spaces on whose boards the account has submissions, in the order of their ids, after `after`. */
export async function findSpacesPlayed(
  db: Db,
  accountId: AccountId,
  after: SpaceId,
  limit: number,
): Promise<SpaceId[]> {
  const rows = await spacesPosted(db, accountId)
    .where('space_id', '>', after)
    .where((where) =>
      where.exists(
        where
          .selectFrom('submissions')
          .select('submissions.id')
          .whereRef('submissions.board_id', '=', 'boards.id')
          .where('submissions.player_id', '=', accountId),
      ),
    )
    .orderBy('space_id')
    .limit(limit)
    .execute();
  return rows.map(({ space_id }) => space_id);
}

const records = ['player_stats', 'unlocks', 'rooms'] as const;

/**
 * Returns spaces in which the account has anything besides submissions, or had some. With `bans` these are also the
 * spaces whose creators have banned it.
 */
export async function findSpacesWithRecords(
  db: Db,
  accountId: AccountId,
  { bans }: { bans: boolean },
): Promise<SpaceId[]> {
  const ids = new Set<SpaceId>();
  for (const table of bans ? ([...records, 'bans'] as const) : records) {
    const rows = await db
      .selectFrom(table)
      .select('space_id')
      .distinct()
      .where('player_id', '=', accountId)
      .execute();
    for (const { space_id } of rows) ids.add(space_id);
  }
  for (const { space_id } of await spacesPosted(db, accountId).execute()) ids.add(space_id);
  return [...ids];
}

/**
 * Deletes everything besides submissions that the account has in a space. The caller holds the space's locks.
 */
export async function deleteRecords(tx: Tx, spaceId: SpaceId, accountId: AccountId): Promise<void> {
  for (const table of records)
    await tx.db
      .deleteFrom(table)
      .where('player_id', '=', accountId)
      .where('space_id', '=', spaceId)
      .execute();
  announceShown(tx, `played:${accountId}`);
}

/** Deletes the ban of the account by the space's creator. */
export async function deleteOwnBan(tx: Tx, spaceId: SpaceId, accountId: AccountId): Promise<void> {
  await tx.db.deleteFrom('bans').where('player_id', '=', accountId).where('space_id', '=', spaceId).execute();
  announceShown(tx, `played:${accountId}`);
}
