import { type Selectable, sql } from 'kysely';
import { oneOf } from '../platform/db/dialect.ts';
import type { BoardId, PlayerId, SpaceId } from '../platform/db/ids.ts';
import { preparedTogether } from '../platform/db/prepared-together.ts';
import type { BoardsTable, Db, Env } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

/**
 * Returns the lowest and the highest score of a player on each of these boards, and when the last one was
 * posted. Boards without a score of the player are left out.
 */
export async function findPostedScores(
  tx: Tx,
  playerId: PlayerId,
  boardIds: readonly BoardId[],
): Promise<Map<BoardId, { least: number; most: number; lastAt: number }>> {
  const rows = await tx.db
    .selectFrom('submissions')
    .select('board_id')
    .select(({ fn }) => [
      fn.min('score').as('least'),
      fn.max('score').as('most'),
      fn.max('created_at').as('lastAt'),
    ])
    .where('board_id', 'in', oneOf(tx.db, boardIds))
    .where('player_id', '=', playerId)
    .groupBy('board_id')
    .execute();
  return new Map(rows.map(({ board_id, ...posted }) => [board_id, posted]));
}

/** A live board that a player has posted to, with its space. */
export type PlayedBoard = {
  readonly spaceId: SpaceId;
  readonly slug: string;
  readonly spaceTitle: string;
} & Pick<
  Selectable<BoardsTable>,
  'id' | 'key' | 'title' | 'unit' | 'metric' | 'decimals' | 'sort' | 'periods' | 'ranked_as' | 'keep'
>;

/** The most boards whose rank is shown on a player's own page. */
const mostBoards = 200;

/** Finds the live boards that a player has posted to, without those of deleted spaces. */
export const findPlayedBoards = preparedTogether(
  ['playerId'],
  (_db, { playerId }) => sql<PlayedBoard>`
    select board.id, board.space_id as "spaceId", space.slug, space.title as "spaceTitle", board.key, board.title,
      board.unit, board.metric, board.decimals, board.sort, board.periods, board.ranked_as, board.keep
    from board_players as played
      join boards as board on board.id = played.board_id
      join spaces as space on space.id = board.space_id
    where played.player_id = ${playerId} and board.env = 'live' and space.deleted_at is null
      and exists (
        select 1 from submissions
        where submissions.board_id = board.id and submissions.player_id = ${playerId})
    order by board.space_id, board.position
    limit ${sql.lit(mostBoards)}`,
);

/** A submission as its own player reads it. */
export interface OwnSubmission {
  readonly id: number;
  readonly spaceId: SpaceId;
  readonly env: Env;
  readonly board: string;
  readonly score: number;
  readonly meta: string | null;
  readonly createdAt: number;
}

type PagedSubmission = OwnSubmission & { readonly boardId: BoardId };

/**
 * Returns a page of a player's submissions on all boards, in the order of board ids and submission ids. The rest of the
 * board that the last page ended in has a statement of its own: one condition on both columns would read that board
 * from its start, for every page.
 */
export async function findOwnSubmissions(
  db: Db,
  playerId: PlayerId,
  after: { readonly boardId: BoardId; readonly id: number } | null,
  limit: number,
): Promise<PagedSubmission[]> {
  const rest =
    after === null
      ? []
      : await selectOwnSubmissions(db, playerId)
          .where('board.id', '=', after.boardId)
          .where('submission.id', '>', after.id)
          .orderBy('submission.id')
          .limit(limit)
          .execute();
  if (rest.length === limit) return rest;
  let others = selectOwnSubmissions(db, playerId)
    .orderBy('played.board_id')
    .orderBy('submission.id')
    .limit(limit - rest.length);
  if (after !== null) others = others.where('played.board_id', '>', after.boardId);
  return [...rest, ...(await others.execute())];
}

function selectOwnSubmissions(db: Db, playerId: PlayerId) {
  return db
    .selectFrom('board_players as played')
    .innerJoin('boards as board', 'board.id', 'played.board_id')
    .innerJoin('submissions as submission', (join) =>
      join
        .onRef('submission.board_id', '=', 'played.board_id')
        .onRef('submission.player_id', '=', 'played.player_id'),
    )
    .select(['submission.id', 'board.id as boardId', 'board.space_id as spaceId', 'board.key as board'])
    .select(['submission.score', 'submission.meta', 'submission.created_at as createdAt'])
    .where('played.player_id', '=', playerId)
    .where('board.env', 'in', ['live', 'sandbox'])
    .select(({ ref }) => ref('board.env').$castTo<Env>().as('env'));
}
