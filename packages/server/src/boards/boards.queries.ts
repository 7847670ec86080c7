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

export async function deleteBoardRow(tx: Tx, id: BoardId): Promise<void> {
  await tx.db.deleteFrom('boards').where('id', '=', id).execute();
}
