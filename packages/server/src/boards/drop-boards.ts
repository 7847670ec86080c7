import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { BoardRow } from './board-settings.ts';
import { deleteBoardRow, findBoards } from './boards.queries.ts';
import { clearBoard } from './rebuild.ts';

/** Deletes a board with every score on it. */
export async function dropBoard(tx: Tx, board: Pick<BoardRow, 'id' | 'space_id'>): Promise<void> {
  await clearBoard(tx, board);
  await deleteBoardRow(tx, board.id);
}

/** Deletes every board of a space that is being deleted, live and in the sandbox. */
export async function dropBoardsOf(tx: Tx, spaceId: SpaceId): Promise<void> {
  for (const env of ['live', 'sandbox'] as const)
    for (const board of await findBoards(tx.db, spaceId, env)) await dropBoard(tx, board);
}
