import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { PlayerId, SpaceId } from '../platform/db/ids.ts';
import type { BoardsTable, Db, Env } from '../platform/db/schema.ts';
import type { Place } from './ranking.ts';
import { groupLevel, rankOf, withRuns } from './segments.queries.ts';

export type BoardRow = Selectable<BoardsTable>;

export async function findBoard(
  db: Db,
  spaceId: SpaceId,
  env: Env,
  key: string,
): Promise<BoardRow | undefined> {
  return db
    .selectFrom('boards')
    .selectAll()
    .where('space_id', '=', spaceId)
    .where('env', '=', env)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Where a page of entries begins: at the top, behind a place, or some entries above a player's. */
export type PageStart =
  | { readonly at: 'top' }
  | { readonly at: 'behind'; readonly place: Place }
  | { readonly at: 'around'; readonly playerId: PlayerId; readonly above: number };

export interface RankedEntry {
  readonly rank: number;
  readonly handle: string | null;
  readonly sort_key: number;
  readonly submission_id: number;
  readonly created_at: number;
  /** Entries in the whole ranking. */
  readonly total: number;
}

/**
 * Entries of a ranking in order, with their ranks and the ranking's total: in one statement, so that all of them are of
 * one moment.
 */
export async function findRankedEntries(
  db: Db,
  rankingId: number,
  start: PageStart,
  limit: number,
): Promise<RankedEntry[]> {
  return db
    .with(
      // SQLite would look for the start's runs again with each row that its rank is counted of.
      (name) => name('p').materialized(),
      (query) =>
        query
          .selectFrom(sql<StartRow>`(${firstEntry(rankingId, start)})`.as('p'))
          .select(['p.ranking_id', 'p.sort_key', 'p.submission_id'])
          .select([
            withRuns.segmentKey.as('segment_key'),
            withRuns.segmentId.as('segment_id'),
            withRuns.groupKey.as('group_key'),
            withRuns.groupId.as('group_id'),
          ]),
    )
    .with('page', (query) =>
      query
        .selectFrom('entries')
        .select(['player_id', 'sort_key', 'submission_id'])
        .where('ranking_id', '=', rankingId)
        .where(
          sql<boolean>`(sort_key, submission_id) >= (+(select sort_key from p), +(select submission_id from p))`,
        )
        .orderBy('sort_key')
        .orderBy('submission_id')
        .limit(limit),
    )
    .selectFrom('page')
    .innerJoin('creators as player', 'player.id', 'page.player_id')
    .innerJoin('submissions as submission', 'submission.id', 'page.submission_id')
    .select(['player.handle', 'page.sort_key', 'page.submission_id', 'submission.created_at'])
    .select([
      sql<number>`(select ${rankOf} from p) + row_number() over (order by page.sort_key, page.submission_id) - 1`.as(
        'rank',
      ),
      sql<number>`(select sum(n) from ranking_segments
          where ranking_id = ${rankingId} and level = ${sql.lit(groupLevel)})`.as('total'),
    ])
    .orderBy('page.sort_key')
    .orderBy('page.submission_id')
    .execute();
}

interface StartRow {
  ranking_id: number;
  sort_key: number;
  submission_id: number;
}

/** The first entry of a page; none where there is nothing to show. */
function firstEntry(rankingId: number, start: PageStart): RawBuilder<unknown> {
  const columns = sql`ranking_id, sort_key, submission_id`;
  if (start.at === 'top')
    return sql`select ${columns} from entries where ranking_id = ${rankingId}
      order by sort_key, submission_id limit 1`;
  if (start.at === 'behind')
    return sql`select ${columns} from entries where ranking_id = ${rankingId}
      and (sort_key, submission_id) > (+cast(${start.place.sortKey} as double precision), +cast(${start.place.submissionId} as bigint))
      order by sort_key, submission_id limit 1`;
  const own = (column: 'sort_key' | 'submission_id') =>
    sql`(select ${sql.ref(column)} from entries where ranking_id = ${rankingId} and player_id = ${start.playerId})`;
  return sql`select * from (
      select ${columns} from entries where ranking_id = ${rankingId}
        and (sort_key, submission_id) <= (+${own('sort_key')}, +${own('submission_id')})
      order by sort_key desc, submission_id desc limit ${start.above + 1}) as before
    order by sort_key, submission_id limit 1`;
}
