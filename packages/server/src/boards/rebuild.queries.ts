import { type RawBuilder, sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import { rowsOf } from '../platform/db/dialect.ts';
import type { BoardId, PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { dayMs, type Place, type RankingRules, type Submission } from './ranking.ts';

/** A range of a board's players in the order of their ids: `after` is excluded, `upTo` is included. */
export interface PlayerRange {
  readonly after: PlayerId;
  /** Null for the last range. */
  readonly upTo: PlayerId | null;
}

/** A ranking that the submissions of a day count in. */
export interface DayRanking {
  readonly day: number;
  readonly rankingId: number;
}

const dayLength = sql.lit(dayMs);

/**
 * Returns the days on which a board got submissions. It looks for the first submission after each of these days:
 * `distinct` would read every submission of the board.
 */
export async function findDays({ db }: Pick<Tx, 'db'>, boardId: BoardId): Promise<number[]> {
  const first = sql`select min(created_at) from submissions where board_id = ${boardId}`;
  const { rows } = await sql<{ day: number }>`
    with recursive firsts(created_at) as (
      ${first}
      union all
      select (${first} and submissions.created_at >= (firsts.created_at / ${dayLength} + 1) * ${dayLength})
      from firsts where firsts.created_at is not null)
    select created_at / ${dayLength} as day from firsts where created_at is not null`.execute(db);
  return rows.map(({ day }) => day);
}

/**
 * Returns the last player of a range that has about `size` submissions of the
 * board; null if it is the last range.
 */
export async function findRangeEnd(
  db: Db,
  boardId: BoardId,
  after: PlayerId,
  size: number,
): Promise<PlayerId | null> {
  const row = await db
    .selectFrom('submissions')
    .select('player_id')
    .where('board_id', '=', boardId)
    .where('player_id', '>', after)
    .orderBy('player_id')
    .offset(size)
    .limit(1)
    .executeTakeFirst();
  return row?.player_id ?? null;
}

/** Selects the players who are banned from a space, by its creator or from the service. */
function keptOut(spaceId: SpaceId): RawBuilder<string> {
  return sql`select player_id from bans where space_id = ${spaceId}
    union all select id from creators where banned_at is not null`;
}

/**
 * Makes the entries of a range of players in one statement, for boards that keep
 * the best or the last submission.
 */
export async function insertStandings(
  tx: Tx,
  board: { readonly id: BoardId; readonly space_id: SpaceId },
  { sort, keep }: Pick<RankingRules, 'sort' | 'keep'>,
  days: readonly DayRanking[],
  { after, upTo }: PlayerRange,
): Promise<void> {
  const given = rowsOf(
    tx.db,
    days.map(({ day, rankingId }) => [day, rankingId]),
    2,
  );
  // As in `sortKeyOf`: a difference from 0 is never -0.
  const sortKey = sort === 'desc' ? sql`0 - score` : sql`score + 0`;
  const order = keep === 'last' ? sql`id desc` : sql`${sortKey}, id`;
  await sql`
    insert into entries (ranking_id, player_id, sort_key, submission_id)
    with days as materialized (
      select cast(c0 as bigint) as day, cast(c1 as bigint) as ranking_id from ${given} as given)
    select ranking_id, player_id, sort_key, id from (
      select days.ranking_id, player_id, ${sortKey} as sort_key, id,
        row_number() over (partition by days.ranking_id, player_id order by ${order}) as place
      from submissions join days on days.day = created_at / ${dayLength}
      where board_id = ${board.id} and player_id > ${after} and ${upTo === null ? sql`true` : sql`player_id <= ${upTo}`}
        and player_id not in (${keptOut(board.space_id)})) as placed
    where place = 1`.execute(tx.db);
}

/** Returns the submissions of a range of players who are not banned, by player, oldest first. */
export async function findSubmissions(
  db: Db,
  board: { readonly id: BoardId; readonly space_id: SpaceId },
  { after, upTo }: PlayerRange,
): Promise<(Submission & { readonly playerId: PlayerId })[]> {
  let query = db
    .selectFrom('submissions')
    .select(['id', 'player_id', 'score', 'created_at'])
    .where('board_id', '=', board.id)
    .where('player_id', '>', after)
    .where(sql<boolean>`player_id not in (${keptOut(board.space_id)})`)
    .orderBy('player_id')
    .orderBy('id');
  if (upTo !== null) query = query.where('player_id', '<=', upTo);
  const rows = await query.execute();
  return rows.map(({ id, player_id, score, created_at }) => ({
    id,
    playerId: player_id,
    score,
    createdAt: created_at,
  }));
}

/**
 * Cuts up to `limit` entries of a ranking, from a place on, into runs of `size`.
 * `limit` is a multiple of `size`.
 * @returns the low end and the number of entries of each run; `next` is the place of the
 * first entry after them, or null
 */
export async function cutPage(
  tx: Tx,
  rankingId: number,
  from: Place,
  { size, limit }: { size: number; limit: number },
): Promise<{ runs: { low: Place; n: number }[]; next: Place | null }> {
  const { rows } = await sql<{ sort_key: number; submission_id: number; place: number; total: number }>`
    with page as materialized (
      select sort_key, submission_id, row_number() over (order by sort_key, submission_id) as place
      from (
        select sort_key, submission_id from entries
        where ranking_id = ${rankingId}
          and (sort_key, submission_id) >= (+cast(${from.sortKey} as double precision), ${from.submissionId})
        order by sort_key, submission_id limit cast(${limit + 1} as integer)) as first_ones)
    select sort_key, submission_id, place, (select count(*) from page) as total
    from page where (place - 1) % ${size} = 0 order by place`.execute(tx.db);
  const runs = rows.map(({ sort_key, submission_id, place, total }) => ({
    low: { sortKey: sort_key, submissionId: submission_id },
    n: Math.min(size, total - place + 1),
  }));
  // The entry past the limit begins a run, which is the first of the next page.
  const next = rows[0] && rows[0].total > limit ? (runs.pop()?.low ?? null) : null;
  return { runs, next };
}

/** Deletes up to `limit` submissions of a board. Returns how many were deleted. */
export async function deleteSubmissions(tx: Tx, boardId: BoardId, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('submissions')
    .where('id', 'in', (some) =>
      some.selectFrom('submissions').select('id').where('board_id', '=', boardId).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes up to `limit` of the rows that say who posted to a board, and returns their number. */
export async function deletePlayers(tx: Tx, boardId: BoardId, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('board_players')
    .where('board_id', '=', boardId)
    .where('player_id', 'in', (some) =>
      some.selectFrom('board_players').select('player_id').where('board_id', '=', boardId).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes the scores that guests may still bring into an account. */
export async function deleteGuestScores({ db }: { readonly db: Db }, boardId: BoardId): Promise<void> {
  await deleteInPieces(db, 'guest_scores', sql`board_id = ${boardId}`);
}

export async function deleteSubmissionsOf(tx: Tx, boardId: BoardId, playerId: PlayerId): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('submissions')
    .where('board_id', '=', boardId)
    .where('player_id', '=', playerId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes what records that a player posted to boards of a space, if nothing of theirs is left there. */
export async function deletePosted(tx: Tx, spaceId: SpaceId, playerId: PlayerId): Promise<void> {
  await tx.db
    .deleteFrom('board_players')
    .where('player_id', '=', playerId)
    .where('board_id', 'in', (some) => some.selectFrom('boards').select('id').where('space_id', '=', spaceId))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('submissions')
            .select('id')
            .whereRef('submissions.board_id', '=', 'board_players.board_id')
            .where('submissions.player_id', '=', playerId),
        ),
      ),
    )
    .execute();
}

/** Deletes up to `limit` entries of a ranking. Returns how many were deleted. */
export async function deleteEntriesIn(tx: Tx, rankingId: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('entries')
    .where('ranking_id', '=', rankingId)
    .where('player_id', 'in', (some) =>
      some.selectFrom('entries').select('player_id').where('ranking_id', '=', rankingId).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
