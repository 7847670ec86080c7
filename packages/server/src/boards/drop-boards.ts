import type { SpaceId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { BoardRow } from './board-settings.ts';
import { deleteBoardRow, findBoards } from './boards.queries.ts';
import { deleteGuestScores, deletePlayers } from './rebuild.queries.ts';
import { clearBoard, inSteps, stepRows } from './rebuild.ts';

/** Deletes a board with every score on it. */
export async function dropBoard(tx: Tx, board: Pick<BoardRow, 'id' | 'space_id'>): Promise<void> {
  await clearBoard(tx, board);
  // They would go with the row of the board, but in one statement.
  await inSteps(() => deletePlayers(tx, board.id, stepRows));
  await deleteGuestScores(tx, board.id);
  await deleteBoardRow(tx, board.id);
}

/** Deletes every board of a space that is being deleted, live and in the sandbox. */
export async function dropBoardsOf(tx: Tx, spaceId: SpaceId): Promise<void> {
  for (const env of ['live', 'sandbox'] as const)
    for (const board of await findBoards(tx.db, spaceId, env)) await dropBoard(tx, board);
}
