import { type RawBuilder, sql } from 'kysely';
import { hasLateralJoins, rowsOfList } from '../platform/db/dialect.ts';
import { gathered } from '../platform/db/gathered-reads.ts';
import type { BoardId, PlayerId, SpaceId } from '../platform/db/ids.ts';
import { type Cells, type List, listOf, mostRoom } from '../platform/db/lists.ts';
import { type Given, prepared, preparedRead } from '../platform/db/prepared.ts';
import { preparedTogether } from '../platform/db/prepared-together.ts';
import type { Db, Env } from '../platform/db/schema.ts';
import type { BoardRow } from './board-settings.ts';
import type { DetailsRead } from './entry-details.queries.ts';
import type { Place } from './ranking.ts';
import { groupLevel } from './runs.ts';
import { rankOf, withRuns } from './segments.queries.ts';

/** Returns a board by its key. Look-ups that come together share one statement. */
export async function findBoard(
  db: Db,
  spaceId: SpaceId,
  env: Env,
  key: string,
): Promise<BoardRow | undefined> {
  return findByName(db, nameOf({ space_id: spaceId, env, key }));
}

const findByName = gathered(async (db: Db, names: readonly string[]) => {
  const boards = await findNamed(db, { names: listOf(names.map((name) => name.split(' '))) });
  return new Map(boards.map((board) => [nameOf(board), board]));
});

/** Returns the parts joined with spaces. No part contains a space. */
function nameOf({ space_id, env, key }: Pick<BoardRow, 'space_id' | 'env' | 'key'>): string {
  return `${space_id} ${env} ${key}`;
}

const findNamed = prepared((db, { names }: Given<{ names: List<Cells> }>) =>
  db
    .selectFrom('boards')
    .selectAll('boards')
    .innerJoin(sql<{ c0: SpaceId; c1: Env; c2: string }>`${rowsOfList(db, names, 3)}`.as('named'), (join) =>
      join
        .onRef('named.c0', '=', 'boards.space_id')
        .onRef('named.c1', '=', 'boards.env')
        .onRef('named.c2', '=', 'boards.key'),
    ),
);

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
export async function findRankedPage(db: Db, asked: PageAsked, start: PageStart): Promise<RankedPage | null> {
  const pageOf = hasLateralJoins(db) ? joinedPage : headedPage;
  return pageOf(await pageRows(db, asked, start));
}

/** A row of either form of the statement. */
interface PageRow extends RankedEntry {
  readonly first_rank?: number;
  readonly total?: number;
}

function pageRows(db: Db, asked: PageAsked, start: PageStart): Promise<readonly PageRow[]> {
  if (start.at === 'top') return findTop(db, asked);
  if (start.at === 'behind') return findBehind(db, { ...asked, ...start.place });
  const { above } = start;
  if (start.at === 'around-id') return findAroundId(db, { ...asked, playerId: start.playerId, above });
  return findAround(db, { ...asked, handle: start.handle, above });
}

const columns = sql`ranking_id, sort_key, submission_id`;
const rankingId = sql<number>`(select id from ranking)`;

type PageCells = Readonly<Record<(typeof page)[number], RawBuilder<unknown>>>;

const page = ['boardId', 'window', 'limit'] as const;

const findTop = preparedTogether(page, (db, asked) => shownEntries(db, asked, { rank: sql`1` }));

const findBehind = preparedTogether([...page, 'sortKey', 'submissionId'], (db, asked) =>
  entriesFrom(
    db,
    asked,
    sql`select ${columns} from entries where ranking_id = ${rankingId}
      and (sort_key, submission_id) > (+cast(${asked.sortKey} as double precision), +cast(${asked.submissionId} as bigint))
      order by sort_key, submission_id limit 1`,
  ),
);

const findAround = preparedTogether([...page, 'handle', 'above'], (db, asked) =>
  entriesAround(db, asked, sql`(select id from creators where handle = ${asked.handle})`),
);

const findAroundId = preparedTogether([...page, 'playerId', 'above'], (db, asked) =>
  entriesAround(db, asked, asked.playerId),
);

function entriesAround(
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
    from: sql`and (sort_key, submission_id) >= (+(select sort_key from p), +(select submission_id from p))`,
  });
}

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
    with ranking as materialized (select id from rankings where board_id = ${boardId} and "window" = ${window}),
      ${before}
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
    union all select * from (
      select sort_key, submission_id from entries where ranking_id = ${rankingId} ${from}
      order by sort_key, submission_id limit cast(${limit} as integer))`;
}

function headedPage(rows: readonly PageRow[]): RankedPage | null {
  const [head, ...entries] = rows;
  if (head === undefined || entries.length === 0) return null;
  return { firstRank: head.sort_key, total: head.submission_id, entries };
}

/** A player's standing in a ranking. */
export interface Standing {
  readonly sort_key: number;
  readonly rank: number;
  readonly total: number;
}

/**
 * Returns a player's standing in a ranking; undefined if the player is not in it. Standings that are asked for together
 * share one statement.
 */
export async function findStanding(
  db: Db,
  playerId: PlayerId,
  { boardId, window }: Omit<PageAsked, 'limit'>,
): Promise<Standing | undefined> {
  // No part contains a space.
  return findByPlayer(db, `${playerId} ${boardId} ${window}`);
}

const findByPlayer = gathered(async (db: Db, names: readonly string[]) => {
  const standings = await findStandings(db, { asked: listOf(names.map((name) => name.split(' '))) });
  return new Map(standings.map((standing): [string, Standing] => [standing.name, standing]));
}, mostRoom);

const findStandings = preparedRead(
  (db, { asked }: Given<{ asked: List<Cells> }>) => sql<Standing & { name: string }>`
    with own as materialized (
        select c0 || ' ' || c1 || ' ' || c2 as name, entry.ranking_id, entry.sort_key, entry.submission_id
        from ${rowsOfList(db, asked, 3)} as asked
          inner join rankings as ranking on ranking.board_id = asked.c1 and ranking."window" = asked.c2
          inner join entries as entry on entry.ranking_id = ranking.id and entry.player_id = asked.c0),
      p as materialized (
        ${withRuns(db, sql`name, ${columns}`, sql`own`)})
    select name, sort_key, ${rankOf} as rank,
      (select sum(n) from ranking_segments
        where ranking_id = p.ranking_id and level = ${sql.lit(groupLevel)}) as total
    from p`,
);

const findTotal = preparedRead(
  (_db, { boardId, window }: Given<Omit<PageAsked, 'limit'>>) => sql<{ total: number | null }>`
    select sum(n) as total from ranking_segments where level = ${sql.lit(groupLevel)}
      and ranking_id = (select id from rankings where board_id = ${boardId} and "window" = ${window})`,
);

/** Returns how many entries a ranking has; 0 if it does not exist. */
export async function countRanking(db: Db, ranking: Omit<PageAsked, 'limit'>): Promise<number> {
  const [found] = await findTotal(db, ranking);
  return found?.total ?? 0;
}
