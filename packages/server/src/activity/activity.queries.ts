import { type Selectable, sql } from 'kysely';
import { oneOf, rowsOf } from '../platform/db/dialect.ts';
import type { BoardId, PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Db, SpaceDaysTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export type StoredDay = Pick<Selectable<SpaceDaysTable>, 'day' | 'plays' | 'scores' | 'players'>;

/** Returns the stored days of a space from `first` to `last` (both `2026-11-21`). */
export async function findDays(
  db: Db,
  spaceId: SpaceId,
  { first, last }: { first: string; last: string },
): Promise<StoredDay[]> {
  return db
    .selectFrom('space_days')
    .select(['day', 'plays', 'scores', 'players'])
    .where('space_id', '=', spaceId)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .execute();
}

interface Span {
  readonly from: number;
  /** Excluded. */
  readonly until: number;
}

/** SQLite counts as many in some ten milliseconds. */
const countedAtOnce = 20_000;

/**
 * Counts scores on a space's live boards in a span of time (epoch milliseconds), and their players. More than `atOnce`
 * are counted in pieces: a day of a million took SQLite half a second, in which nobody was answered.
 */
export async function countScores(
  db: Db,
  spaceId: SpaceId,
  span: Span,
  atOnce = countedAtOnce,
): Promise<{ scores: number; players: number }> {
  const boardIds = await findLiveBoards(db, spaceId);
  const isSmall = (await findNth(db, boardIds, span, atOnce)) === null;
  if (isSmall) return countTogether(db, boardIds, span);
  const players = new Set<PlayerId>();
  let scores = 0;
  for (const boardId of boardIds)
    for (let from = span.from; from < span.until; ) {
      const next = await findNth(db, [boardId], { from, until: span.until }, atOnce);
      // All of one instant are counted together.
      const until = next === null ? span.until : Math.max(next, from + 1);
      for (const { player_id, count } of await countByPlayer(db, boardId, { from, until })) {
        players.add(player_id);
        scores += Number(count);
      }
      from = until;
    }
  return { scores, players: players.size };
}

async function findLiveBoards(db: Db, spaceId: SpaceId): Promise<BoardId[]> {
  const rows = await db
    .selectFrom('boards')
    .select('id')
    .where('space_id', '=', spaceId)
    .where('env', '=', 'live')
    .execute();
  return rows.map(({ id }) => id);
}

function scoresIn(db: Db, boardIds: readonly BoardId[], { from, until }: Span) {
  const [first] = boardIds;
  const isOne = first !== undefined && boardIds.length === 1;
  return db
    .selectFrom('submissions')
    .where('board_id', isOne ? '=' : 'in', isOne ? first : oneOf(db, boardIds))
    .where('created_at', '>=', from)
    .where('created_at', '<', until);
}

/**
 * Returns when the score was posted that comes after so many of the span; null if there are not as many. Of several boards
 * it is any of the scores.
 */
async function findNth(
  db: Db,
  boardIds: readonly BoardId[],
  span: Span,
  count: number,
): Promise<number | null> {
  let query = scoresIn(db, boardIds, span).select('created_at').offset(count).limit(1);
  // The index has the scores of each board in this order.
  if (boardIds.length === 1) query = query.orderBy('created_at');
  return (await query.executeTakeFirst())?.created_at ?? null;
}

async function countTogether(
  db: Db,
  boardIds: readonly BoardId[],
  span: Span,
): Promise<{ scores: number; players: number }> {
  return scoresIn(db, boardIds, span)
    .select(({ fn }) => [
      fn.countAll<number>().as('scores'),
      fn.count<number>('player_id').distinct().as('players'),
    ])
    .executeTakeFirstOrThrow();
}

async function countByPlayer(
  db: Db,
  boardId: BoardId,
  span: Span,
): Promise<{ player_id: PlayerId; count: number | string }[]> {
  return scoresIn(db, [boardId], span)
    .select(({ fn }) => ['player_id', fn.countAll<number | string>().as('count')])
    .groupBy('player_id')
    .execute();
}

/**
 * Stores the counts of days that are over. A second count gives the same result, so a later write may win.
 */
export async function keepCounts(
  tx: Tx,
  spaceId: SpaceId,
  days: readonly { day: string; scores: number; players: number }[],
): Promise<void> {
  const rows = rowsOf(
    tx.db,
    days.map(({ day, scores, players }) => [day, scores, players]),
    3,
  );
  await sql`insert into space_days (space_id, day, scores, players)
    select ${spaceId}, c0, cast(c1 as integer), cast(c2 as integer) from ${rows} as counted where true
    on conflict (space_id, day) do update set scores = excluded.scores, players = excluded.players`.execute(
    tx.db,
  );
}
