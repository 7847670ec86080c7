import type { BoardId, SpaceId } from '../platform/db/ids.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { announceComing } from './announce-entries.ts';
import type { BoardRow, BoardSettings } from './board-settings.ts';

/** Returns a space's boards in the order in which they were declared. */
export async function findBoards(db: Db, spaceId: SpaceId, env: Env): Promise<BoardRow[]> {
  return db
    .selectFrom('boards')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .orderBy('position')
    .orderBy('key')
    .execute();
}

/** Returns every board of a space: live, in the sandbox, and those whose rows a job still deletes. */
export async function findAllBoards(db: Db, spaceId: SpaceId): Promise<BoardRow[]> {
  return db.selectFrom('boards').selectAll().where('space_id', '=', spaceId).execute();
}

/** Returns the boards with this key, live and in the sandbox. */
export async function findBoardsByKey(db: Db, spaceId: SpaceId, key: string): Promise<BoardRow[]> {
  return db.selectFrom('boards').selectAll().where('space_id', '=', spaceId).where('key', '=', key).execute();
}

export async function insertBoard(tx: Tx, board: BoardRow): Promise<void> {
  await tx.db.insertInto('boards').values(board).execute();
  announceComing(tx, board, '*');
}

export async function updateBoard(
  tx: Tx,
  board: Pick<BoardRow, 'id' | 'space_id'>,
  settings: BoardSettings,
  now: number,
): Promise<void> {
  await tx.db
    .updateTable('boards')
    .set({ ...settings, updated_at: now })
    .where('id', '=', board.id)
    .execute();
  announceComing(tx, board, '*');
}

/** Takes a board out of its space, with its key, as far as anybody can see. It is ranked again no more. */
export async function hideBoard(tx: Tx, id: BoardId): Promise<void> {
  await tx.db
    .updateTable('boards')
    .set({ env: 'dropped', key: id, ranked_as: null })
    .where('id', '=', id)
    .execute();
}

export async function deleteBoardRow(tx: Tx, id: BoardId): Promise<void> {
  await tx.db.deleteFrom('boards').where('id', '=', id).execute();
}
