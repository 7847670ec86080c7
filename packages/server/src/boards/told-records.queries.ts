import type { BoardId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Returns the first place of all time on a board; undefined if the board is empty. */
export async function findFirstPlace(
  tx: Tx,
  boardId: BoardId,
): Promise<{ handle: string | null; sort_key: number; submission_id: number } | undefined> {
  return tx.db
    .selectFrom('rankings as ranking')
    .innerJoin('entries as entry', 'entry.ranking_id', 'ranking.id')
    .innerJoin('creators as player', 'player.id', 'entry.player_id')
    .select(['player.handle', 'entry.sort_key', 'entry.submission_id'])
    .where('ranking.board_id', '=', boardId)
    .where('ranking.window', '=', 'all')
    .orderBy('entry.sort_key')
    .orderBy('entry.submission_id')
    .limit(1)
    .executeTakeFirst();
}

export async function findToldRecord(
  tx: Tx,
  boardId: BoardId,
): Promise<{ submission_id: number; told_at: number } | undefined> {
  return tx.db
    .selectFrom('told_records')
    .select(['submission_id', 'told_at'])
    .where('board_id', '=', boardId)
    .executeTakeFirst();
}

export async function noteToldRecord(tx: Tx, boardId: BoardId, submissionId: number): Promise<void> {
  const told = { submission_id: submissionId, told_at: tx.now };
  await tx.db
    .insertInto('told_records')
    .values({ board_id: boardId, ...told })
    .onConflict((conflict) => conflict.column('board_id').doUpdateSet(told))
    .execute();
}
