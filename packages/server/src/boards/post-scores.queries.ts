import { type Selectable, sql } from 'kysely';
import { oneOf, rowsOf, takeIds } from '../platform/db/dialect.ts';
import type { BoardsTable, Tx } from '../platform/db/schema.ts';

export type BoardRow = Selectable<BoardsTable>;

/** Boards of these spaces with these keys, live and in the sandbox. */
export async function findBoardsOf(
  tx: Tx,
  spaceIds: readonly string[],
  keys: readonly string[],
): Promise<BoardRow[]> {
  return tx
    .selectFrom('boards')
    .selectAll()
    .where('space_id', 'in', oneOf(tx, spaceIds))
    .where('key', 'in', oneOf(tx, keys))
    .execute();
}

/** Which of these players are banned from which of these spaces. */
export async function findBansOf(
  tx: Tx,
  spaceIds: readonly string[],
  playerIds: readonly string[],
): Promise<{ space_id: string; player_id: string }[]> {
  return tx
    .selectFrom('bans')
    .select(['space_id', 'player_id'])
    .where('space_id', 'in', oneOf(tx, spaceIds))
    .where('player_id', 'in', oneOf(tx, playerIds))
    .execute();
}

export interface NewSubmission {
  readonly boardId: string;
  readonly playerId: string;
  readonly score: number;
  readonly meta: string | null;
}

/** Writes submissions, in one statement; answers their ids, in the order given, each above all before it. */
export async function insertSubmissions(
  tx: Tx,
  submissions: readonly NewSubmission[],
  now: number,
): Promise<number[]> {
  const ids = await takeIds(tx, 'submissions', submissions.length);
  const given = rowsOf(
    tx,
    submissions.map(({ boardId, playerId, score, meta }, index) => [
      ids[index] ?? null,
      boardId,
      playerId,
      score,
      meta,
    ]),
    5,
  );
  await sql`
    insert into submissions (id, board_id, player_id, score, meta, created_at)
    select cast(c0 as bigint), c1, c2, cast(c3 as double precision), c4, cast(${now} as bigint)
    from ${given} as given`.execute(tx);
  return ids;
}
