import type { ExpressionBuilder, Selectable } from 'kysely';
import { oneOf } from '../platform/db/dialect.ts';
import type { AccountId, BoardId, GuestId, SpaceId } from '../platform/db/ids.ts';
import type { BoardsTable, Db, Env, GuestScoresTable, Schema } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export async function findGuestScore(
  db: Db,
  guestId: GuestId,
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

/** A guest's score with its board. */
export type AdoptedScore = GuestScoresTable & {
  readonly space_id: SpaceId;
  readonly env: Env;
} & Pick<Selectable<BoardsTable>, 'key' | 'sort' | 'keep' | 'periods' | 'ranked_as' | 'trust'>;

/** Returns every score of the guests that an account has adopted, grouped by space. */
export async function findAdoptedScores(tx: Tx, accountId: AccountId): Promise<AdoptedScore[]> {
  return tx.db
    .selectFrom('guests as guest')
    .innerJoin('guest_scores as own', 'own.guest_id', 'guest.id')
    .innerJoin('boards as board', 'board.id', 'own.board_id')
    .selectAll('own')
    .select(['board.space_id', 'board.key', 'board.trust'])
    .select(({ ref }) => ref('board.env').$castTo<Env>().as('env'))
    .select(['board.sort', 'board.keep', 'board.periods', 'board.ranked_as'])
    .where('guest.adopted_by', '=', accountId)
    .where('board.env', '!=', 'dropped')
    .orderBy('board.space_id')
    .orderBy('board.id')
    .orderBy('own.at')
    .execute();
}

export async function deleteAdoptedScores(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.db
    .deleteFrom('guest_scores')
    .where('guest_id', 'in', (from) =>
      from.selectFrom('guests').select('id').where('adopted_by', '=', accountId),
    )
    .execute();
}

/** Deletes the scores of guests in the sandbox of a space. Returns how many were deleted. */
export async function clearSandboxScores(tx: Tx, spaceId: SpaceId): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('guest_scores')
    .where('board_id', 'in', (from) =>
      from.selectFrom('boards').select('id').where('space_id', '=', spaceId).where('env', '=', 'sandbox'),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Conditions for scores of guests: their boards, version and time (`to` is excluded). */
export interface GuestScoreFilter {
  readonly boardIds: readonly BoardId[];
  readonly version: number | undefined;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export async function countGuestScores(db: Db, filter: GuestScoreFilter): Promise<number> {
  const { count } = await db
    .selectFrom('guest_scores')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isMeant(db, filter))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns how many scores were deleted. */
export async function deleteMeantScores(tx: Tx, filter: GuestScoreFilter): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('guest_scores')
    .where(isMeant(tx.db, filter))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

function isMeant(db: Db, { boardIds, version, from, to }: GuestScoreFilter) {
  return (columns: ExpressionBuilder<Schema, 'guest_scores'>) =>
    columns.and([
      columns('board_id', 'in', oneOf(db, boardIds)),
      ...(version === undefined ? [] : [columns('version', '=', version)]),
      ...(from === undefined ? [] : [columns('at', '>=', from)]),
      ...(to === undefined ? [] : [columns('at', '<', to)]),
    ]);
}
