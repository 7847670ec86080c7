import type { BoardRow } from '../boards/board-settings.ts';
import type { BoardId, PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import { announceShown } from '../platform/db/shown.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns every board of a space, live and in the sandbox. */
export async function findBoardsOfSpace(tx: Tx, spaceId: SpaceId): Promise<BoardRow[]> {
  return tx.db
    .selectFrom('boards')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('env', '!=', 'dropped')
    .execute();
}

export async function findSubmission(
  tx: Tx,
  id: number,
): Promise<{ board_id: BoardId; player_id: PlayerId } | undefined> {
  return tx.db
    .selectFrom('submissions')
    .select(['board_id', 'player_id'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function deleteSubmissionRow(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('submissions').where('id', '=', id).execute();
}

/** Returns false if the player was banned already. */
export async function insertBan(tx: Tx, spaceId: SpaceId, playerId: PlayerId): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('bans')
    .values({ space_id: spaceId, player_id: playerId, banned_at: tx.now })
    .onConflict((conflict) => conflict.columns(['space_id', 'player_id']).doNothing())
    .executeTakeFirst();
  announceShown(tx, `played:${playerId}`);
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns false if the player was not banned. */
export async function deleteBan(tx: Tx, spaceId: SpaceId, playerId: PlayerId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('bans')
    .where('space_id', '=', spaceId)
    .where('player_id', '=', playerId)
    .executeTakeFirst();
  announceShown(tx, `played:${playerId}`);
  return numDeletedRows === 1n;
}

/** Returns the bans of a space, the newest first. */
export async function listBans(
  db: Db,
  spaceId: SpaceId,
): Promise<{ handle: string | null; banned_at: number }[]> {
  return db
    .selectFrom('bans')
    .innerJoin('creators as player', 'player.id', 'bans.player_id')
    .select(['player.handle', 'bans.banned_at'])
    .where('bans.space_id', '=', spaceId)
    .orderBy('bans.banned_at', 'desc')
    .orderBy('player.handle')
    .execute();
}

/** Returns the spaces whose creators have banned the player. */
export async function findBannedFrom(db: Db, playerId: PlayerId): Promise<Set<SpaceId>> {
  const rows = await db.selectFrom('bans').select('space_id').where('player_id', '=', playerId).execute();
  return new Set(rows.map(({ space_id }) => space_id));
}
