import { type ExpressionBuilder, sql } from 'kysely';
import { oneOf } from '../platform/db/dialect.ts';
import type { BoardId, PlayerId } from '../platform/db/ids.ts';
import type { Db, Schema } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/** Conditions for submissions. All given ones must hold. Instants are in epoch milliseconds. */
export interface SubmissionFilter {
  readonly boardIds: readonly BoardId[];
  readonly version: number | undefined;
  readonly playerId: PlayerId | undefined;
  readonly from: number | undefined;
  /** Excluded. */
  readonly to: number | undefined;
}

/** Returns the `where` of a statement on submissions. */
function matching(db: Db, { boardIds, version, playerId, from, to }: SubmissionFilter) {
  return (columns: ExpressionBuilder<Schema, 'submissions'>) =>
    columns.and([
      columns('submissions.board_id', 'in', oneOf(db, boardIds)),
      ...(version === undefined ? [] : [columns('submissions.version', '=', version)]),
      ...(playerId === undefined ? [] : [columns('submissions.player_id', '=', playerId)]),
      ...(from === undefined ? [] : [columns('submissions.created_at', '>=', from)]),
      ...(to === undefined ? [] : [columns('submissions.created_at', '<', to)]),
    ]);
}

/** Returns how many submissions there are on each board that has some, and from how many players. */
export async function countMatching(
  db: Db,
  filter: SubmissionFilter,
): Promise<{ boardId: BoardId; submissions: number; players: number }[]> {
  return db
    .selectFrom('submissions')
    .select(({ fn }) => [
      'board_id as boardId',
      fn.countAll<number>().as('submissions'),
      sql<number>`count(distinct player_id)`.as('players'),
    ])
    .where(matching(db, filter))
    .groupBy('board_id')
    .execute();
}

/** Returns the newest submissions. */
export async function listMatching(db: Db, filter: SubmissionFilter, limit: number) {
  return db
    .selectFrom('submissions')
    .innerJoin('boards as board', 'board.id', 'submissions.board_id')
    .innerJoin('creators as player', 'player.id', 'submissions.player_id')
    .select([
      'submissions.id',
      'board.key as board',
      'player.handle',
      'submissions.score',
      'submissions.version',
      'submissions.created_at',
    ])
    .where('submissions.id', 'in', (from) =>
      from
        .selectFrom('submissions')
        .select('submissions.id')
        .where(matching(db, filter))
        .orderBy('submissions.id', 'desc')
        .limit(limit),
    )
    .orderBy('submissions.id', 'desc')
    .execute();
}

/** Returns the players of the submissions. */
export async function findMatchingPlayers(tx: Tx, filter: SubmissionFilter): Promise<PlayerId[]> {
  const rows = await tx.db
    .selectFrom('submissions')
    .select('player_id')
    .distinct()
    .where(matching(tx.db, filter))
    .execute();
  return rows.map(({ player_id }) => player_id);
}

/** Deletes up to `limit` submissions. Returns how many were deleted. */
export async function deleteMatching(tx: Tx, filter: SubmissionFilter, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('submissions')
    .where('id', 'in', (from) =>
      from.selectFrom('submissions').select('submissions.id').where(matching(tx.db, filter)).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
