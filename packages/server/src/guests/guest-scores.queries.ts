import type { BoardId, SpaceId } from '../platform/db/ids.ts';
import type { Db, Env, GuestScoresTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export async function findGuestScore(
  db: Db,
  guestId: string,
  boardId: BoardId,
): Promise<GuestScoresTable | undefined> {
  return db
    .selectFrom('guest_scores')
    .selectAll()
    .where('guest_id', '=', guestId)
    .where('board_id', '=', boardId)
    .executeTakeFirst();
}

export async function putGuestScore(tx: Tx, row: GuestScoresTable): Promise<void> {
  const { guest_id, board_id, ...change } = row;
  await tx.db
    .insertInto('guest_scores')
    .values(row)
    .onConflict((conflict) => conflict.columns(['guest_id', 'board_id']).doUpdateSet(change))
    .execute();
}

/** A guest's score with the board that it was made on. */
export type AdoptedScore = GuestScoresTable & {
  readonly space_id: SpaceId;
  readonly env: Env;
  readonly key: string;
  readonly sort: 'asc' | 'desc';
  readonly trust: 'client' | 'server';
};

/** Every score of the guests that an account has adopted, space by space. */
export async function findAdoptedScores(tx: Tx, accountId: string): Promise<AdoptedScore[]> {
  return tx.db
    .selectFrom('guests as guest')
    .innerJoin('guest_scores as own', 'own.guest_id', 'guest.id')
    .innerJoin('boards as board', 'board.id', 'own.board_id')
    .selectAll('own')
    .select(['board.space_id', 'board.env', 'board.key', 'board.sort', 'board.trust'])
    .where('guest.adopted_by', '=', accountId)
    .orderBy('board.space_id')
    .orderBy('board.id')
    .orderBy('own.at')
    .execute();
}

export async function deleteAdoptedScores(tx: Tx, accountId: string): Promise<void> {
  await tx.db
    .deleteFrom('guest_scores')
    .where('guest_id', 'in', (from) =>
      from.selectFrom('guests').select('id').where('adopted_by', '=', accountId),
    )
    .execute();
}

/** Those that guests have in the sandbox of a space; returns how many went. */
export async function clearSandboxScores(tx: Tx, spaceId: SpaceId): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('guest_scores')
    .where('board_id', 'in', (from) =>
      from.selectFrom('boards').select('id').where('space_id', '=', spaceId).where('env', '=', 'sandbox'),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
