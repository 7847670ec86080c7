import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../platform/db/database.ts';
import { hasLateralJoins } from '../platform/db/dialect.ts';
import type { BoardId, PlayerId } from '../platform/db/ids.ts';
import { preparedTogether } from '../platform/db/prepared-together.ts';
import type { Db } from '../platform/db/schema.ts';
import type { DetailsRead } from './entry-details.queries.ts';
import type { Place } from './ranking.ts';
import { groupLevel } from './runs.ts';
import { RunsForReads } from './runs-for-reads.ts';
import { countInSegment, rankOf, withRuns, withSegment } from './segments.queries.ts';

/** The board and the window of a ranking, and how many entries are wanted. */
export interface PageAsked {
  readonly boardId: BoardId;
  readonly window: string;
  readonly limit: number;
}

/** Where a page of entries begins: at the top, behind a place, or some entries above a player's. */
export type PageStart =
  | { readonly at: 'top' }
  | { readonly at: 'behind'; readonly place: Place }
  | { readonly at: 'around'; readonly handle: string; readonly above: number }
  | { readonly at: 'around-id'; readonly playerId: PlayerId; readonly above: number };

/** An entry of a page. It has its details if the statement joins them; otherwise `detailsOf` finds them. */
export interface RankedEntry extends DetailsRead {
  readonly sort_key: number;
  readonly submission_id: number;
}

/** Some entries of a ranking, in order. */
export interface RankedPage {
  /** The rank of the first entry: only this one is counted. */
  readonly firstRank: number;
  /** The number of entries in the whole ranking. */
  readonly total: number;
  readonly entries: readonly RankedEntry[];
}

/**
 * Returns a page of a ranking. All of it is one statement, so that it is consistent. Returns null if the page has no
 * entries: the ranking does not exist, the player is not in it, or nothing is behind the place.
 */
export async function findRankedPage(
  database: Pick<Database, 'db' | 'era'>,
  asked: PageAsked,
  start: PageStart,
): Promise<RankedPage | null> {
  const { db } = database;
  const pageOf = hasLateralJoins(db) ? joinedPage : headedPage;
  if (start.at === 'top') return pageOf(await findTop(db, asked));
  const runs = RunsForReads.before(database, asked);
  if (runs?.areKept()) {
    const rows = await pageRows(counted, db, asked, start);
    const found = rows.length === 0 ? null : countedPage(rows, runs);
    if (found !== 'unknown') return found;
  }
  const found = pageOf(await pageRows(whole, db, asked, start));
  if (found !== null) await runs?.missed(database);
  return found;
}

/** A row of either form of the statement. */
interface PageRow extends RankedEntry {
  readonly first_rank?: number;
  readonly total?: number;
}

function pageRows(
  { findBehind, findAround, findAroundId }: Statements,
  db: Db,
  asked: PageAsked,
  start: Exclude<PageStart, { at: 'top' }>,
): Promise<readonly PageRow[]> {
  if (start.at === 'behind') return findBehind(db, { ...asked, ...start.place });
  const { above } = start;
  if (start.at === 'around-id') return findAroundId(db, { ...asked, playerId: start.playerId, above });
  return findAround(db, { ...asked, handle: start.handle, above });
}

const columns = sql`ranking_id, sort_key, submission_id`;
const rankingId = sql<number>`(select id from ranking)`;

const fromStart = sql`and (sort_key, submission_id) >= (+(select sort_key from p), +(select submission_id from p))`;

function rankingNamed(boardId: RawBuilder<unknown>, window: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`ranking as materialized (select id from rankings where board_id = ${boardId} and "window" = ${window})`;
}

type PageCells = Readonly<Record<(typeof page)[number], RawBuilder<unknown>>>;

const page = ['boardId', 'window', 'limit'] as const;

const findTop = preparedTogether(page, (db, asked) => shownEntries(db, asked, { rank: sql`1` }));

type EntriesFrom = (
  db: Db,
  asked: PageCells,
  first: RawBuilder<unknown>,
  before?: RawBuilder<unknown>,
) => RawBuilder<PageRow>;

type Statements = ReturnType<typeof pagesWith>;

function pagesWith(from: EntriesFrom) {
  return {
    findBehind: preparedTogether([...page, 'sortKey', 'submissionId'], (db, asked) =>
      from(
        db,
        asked,
        sql`select ${columns} from entries where ranking_id = ${rankingId}
          and (sort_key, submission_id) > (+cast(${asked.sortKey} as double precision), +cast(${asked.submissionId} as bigint))
          order by sort_key, submission_id limit 1`,
      ),
    ),
    findAround: preparedTogether([...page, 'handle', 'above'], (db, asked) =>
      entriesAround(from, db, asked, sql`(select id from creators where handle = ${asked.handle})`),
    ),
    findAroundId: preparedTogether([...page, 'playerId', 'above'], (db, asked) =>
      entriesAround(from, db, asked, asked.playerId),
    ),
  };
}

function entriesAround(
  entriesFrom: EntriesFrom,
  db: Db,
  asked: PageCells & { readonly above: RawBuilder<unknown> },
  player: RawBuilder<unknown>,
): RawBuilder<PageRow> {
  return entriesFrom(
    db,
    asked,
    // The second part is for a player who has fewer entries above.
    sql`select * from (
        select ${columns} from entries where ranking_id = ${rankingId}
          and (sort_key, submission_id) <= (+(select sort_key from own), +(select submission_id from own))
        order by sort_key desc, submission_id desc limit 1 offset cast(${asked.above} as integer)) as above
      union all select * from (
        select ${columns} from entries where ranking_id = ${rankingId} and exists (select 1 from own)
        order by sort_key, submission_id limit 1) as top
      limit 1`,
    sql`own as materialized (
        select sort_key, submission_id from entries where ranking_id = ${rankingId}
          and player_id = ${player}),`,
  );
}

/** Selects the page that begins with the entry that `first` finds. The rank of this entry is counted. */
function entriesFrom(
  db: Db,
  asked: PageCells,
  first: RawBuilder<unknown>,
  before = sql``,
): RawBuilder<PageRow> {
  // Materialized, because SQLite would otherwise look up the runs of the start again for each
  // row that it counts for the rank.
  return shownEntries(db, asked, {
    rank: rankOf,
    counts: sql`from p`,
    before: sql`${before}
      start as materialized (${first}),
      p as materialized (${withRuns(db, columns, sql`start`)}),`,
    from: fromStart,
  });
}

/** Counts the rank in the statement. */
const whole = pagesWith(entriesFrom);

/**
 * Counts only in the segment of the first entry, for `RunsForReads`. Two rows in front have the low end of the segment, the count
 * and the id of the ranking.
 */
const counted = pagesWith(
  (_db, { boardId, window, limit }, first, before = sql``) => sql`
    with ${rankingNamed(boardId, window)}, ${before}
      start as materialized (${first}),
      p as materialized (${withSegment(columns, sql`start`)})
    select segment_key as sort_key, segment_id as submission_id from p
    union all select ${countInSegment}, ranking_id from p
    union all ${placesOf(fromStart, limit)}`,
);

/**
 * More rows than any page has. PostgreSQL plans for this number, because it does not
 * know the real limit when it plans.
 */
const mostRows = 128;

interface PageParts {
  readonly rank: RawBuilder<unknown>;
  /** Expressions in front of `counted`, and what the rank is counted from. */
  readonly before?: RawBuilder<unknown>;
  readonly counts?: RawBuilder<unknown>;
  /** Where the page begins. */
  readonly from?: RawBuilder<unknown>;
}

function shownEntries(
  db: Db,
  { boardId, window, limit }: PageCells,
  { rank, before = sql``, counts = sql``, from = sql`` }: PageParts,
): RawBuilder<PageRow> {
  const shown = hasLateralJoins(db) ? withDetails : withHead;
  return sql`
    with ${rankingNamed(boardId, window)}, ${before}
      counted as materialized (
        select ${rank} as first_rank, (select sum(n) from ranking_segments
          where ranking_id = ${rankingId} and level = ${sql.lit(groupLevel)}) as total ${counts})
    ${shown(from, limit)}`;
}

/**
 * Where the database is another process, a second statement for the details would take longer than these joins. They
 * keep every entry of the page, also one whose submission was deleted: the ranks of those after it count it.
 */
function withDetails(from: RawBuilder<unknown>, limit: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    , page as (select * from (
        select player_id, sort_key, submission_id from entries where ranking_id = ${rankingId} ${from}
        order by sort_key, submission_id limit ${sql.lit(mostRows)}) as most
      order by sort_key, submission_id limit cast(${limit} as integer))
    select page.player_id, page.sort_key, page.submission_id, counted.first_rank, counted.total,
      player.handle, submission.created_at
    from counted cross join page
      left join creators as player on player.id = page.player_id
      left join submissions as submission on submission.id = page.submission_id`;
}

function joinedPage(rows: readonly PageRow[]): RankedPage | null {
  const [first] = rows;
  if (first?.first_rank === undefined || first.total === undefined) return null;
  // They mostly are in order already.
  const entries = rows.toSorted(
    (left, right) => left.sort_key - right.sort_key || left.submission_id - right.submission_id,
  );
  return { firstRank: first.first_rank, total: first.total, entries };
}

/**
 * The first row has the rank and the total, in the columns of a place. Nothing but places follows, out of the index:
 * each further cell of a row takes SQLite and Node a fifth of the time of finding the row.
 */
function withHead(from: RawBuilder<unknown>, limit: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select first_rank as sort_key, total as submission_id from counted
    union all ${placesOf(from, limit)}`;
}

function placesOf(from: RawBuilder<unknown>, limit: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select * from (
      select sort_key, submission_id from entries where ranking_id = ${rankingId} ${from}
      order by sort_key, submission_id limit cast(${limit} as integer))`;
}

function headedPage(rows: readonly PageRow[]): RankedPage | null {
  const [head, ...entries] = rows;
  if (head === undefined || entries.length === 0) return null;
  return { firstRank: head.sort_key, total: head.submission_id, entries };
}

/** Returns the page with its rank counted by kept runs; `unknown` if they do not tell it. */
function countedPage(rows: readonly PageRow[], runs: RunsForReads): RankedPage | 'unknown' {
  const [segment, count, ...entries] = rows;
  if (segment === undefined || count === undefined) throw new Error('a page without its head');
  const rank = runs.rankOf({
    rankingId: count.submission_id,
    segment: { sortKey: segment.sort_key, submissionId: segment.submission_id },
    upTo: count.sort_key,
  });
  return rank === null ? 'unknown' : { firstRank: rank.rank, total: rank.total, entries };
}
