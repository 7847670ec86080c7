import { type RawBuilder, type Selectable, sql } from 'kysely';
import { rowsOf, rowsOfList } from '../platform/db/dialect.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared, preparedForEach } from '../platform/db/prepared.ts';
import type { Db, RankingSegmentsTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { Place } from './ranking.ts';

export type SegmentRow = Selectable<RankingSegmentsTable>;

/** Level 0: runs of entries. */
export const segmentLevel = 0;
/** Level 1: runs of segments. */
export const groupLevel = 1;

/** The low end of the first run of every ranking: less than any sum of scores. */
export const lowest: Place = { sortKey: -1e300, submissionId: 0 };

/** A place in one ranking. */
export interface RankedPlace extends Place {
  readonly rankingId: number;
}

/** A place and the low ends of the runs that it is in. */
export interface LocatedPlace extends RankedPlace {
  readonly segment: Place;
  readonly group: Place;
}

// The plus signs: compared with a value that has a type of its own, SQLite looks up only the first half of a pair in the
// index, and reads all equal scores to find the second; a sign takes the type away.

/** The low end of the run of a level that the place of a row of `p` is in: its part `column`. */
function lowOf(level: number, column: 'low_key' | 'low_id'): RawBuilder<number> {
  return sql`(
    select ${sql.ref(column)} from ranking_segments
    where ranking_id = p.ranking_id and level = ${sql.lit(level)}
      and (low_key, low_id) <= (+p.sort_key, +p.submission_id)
    order by low_key desc, low_id desc limit 1)`;
}

/** For a query with a row `p` of ranking_id, sort_key and submission_id: what `rankOf` needs of it beside. */
export const withRuns = {
  segmentKey: lowOf(segmentLevel, 'low_key'),
  segmentId: lowOf(segmentLevel, 'low_id'),
  groupKey: lowOf(groupLevel, 'low_key'),
  groupId: lowOf(groupLevel, 'low_id'),
};

/** Finds the runs that these places are in, in one statement, in the order asked. */
export async function locate(tx: Tx, places: readonly RankedPlace[]): Promise<LocatedPlace[]> {
  if (places.length === 0) return [];
  const rows = await locateRows(tx.db, {
    rows: listOf(
      places.map(({ rankingId, sortKey, submissionId }, at) => [at, rankingId, sortKey, submissionId]),
    ),
  });
  const located: LocatedPlace[] = new Array(places.length);
  for (const row of rows) {
    const place = places[row.at];
    if (place === undefined) continue;
    located[row.at] = {
      rankingId: place.rankingId,
      sortKey: place.sortKey,
      submissionId: place.submissionId,
      segment: { sortKey: row.segment_key, submissionId: row.segment_id },
      group: { sortKey: row.group_key, submissionId: row.group_id },
    };
  }
  return located;
}

interface Located {
  at: number;
  segment_key: number;
  segment_id: number;
  group_key: number;
  group_id: number;
}

const locateRows = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<Located>`
    with p as materialized (
      select cast(c0 as integer) as at, cast(c1 as bigint) as ranking_id,
        cast(c2 as double precision) as sort_key, cast(c3 as bigint) as submission_id
      from ${rowsOfList(db, rows, 4)} as given)
    select at, ${withRuns.segmentKey} as segment_key, ${withRuns.segmentId} as segment_id,
      ${withRuns.groupKey} as group_key, ${withRuns.groupId} as group_id
    from p`,
);

/**
 * The ranks of located places, from 1, in one statement: the groups below, the segments below inside the group, the
 * entries up to the place inside the segment.
 */
export async function ranksOf(tx: Tx, places: readonly LocatedPlace[]): Promise<number[]> {
  if (places.length === 0) return [];
  const given = places.map(({ rankingId, sortKey, submissionId, segment, group }, at) => [
    at,
    rankingId,
    sortKey,
    submissionId,
    segment.sortKey,
    segment.submissionId,
    group.sortKey,
    group.submissionId,
  ]);
  const ranks: number[] = new Array(places.length);
  for (const { at, rank } of await rankRows(tx.db, { rows: listOf(given) })) ranks[at] = rank;
  return ranks;
}

/** The rank of the place of a row of `p` whose runs are known. */
export const rankOf: RawBuilder<number> = sql`(
  coalesce((select sum(n) from ranking_segments
    where ranking_id = p.ranking_id and level = ${sql.lit(groupLevel)}
      and (low_key, low_id) < (+p.group_key, +p.group_id)), 0)
  + coalesce((select sum(n) from ranking_segments
    where ranking_id = p.ranking_id and level = ${sql.lit(segmentLevel)}
      and (low_key, low_id) >= (+p.group_key, +p.group_id)
      and (low_key, low_id) < (+p.segment_key, +p.segment_id)), 0)
  + (select count(*) from entries
    where entries.ranking_id = p.ranking_id
      and (entries.sort_key, entries.submission_id) >= (+p.segment_key, +p.segment_id)
      and (entries.sort_key, entries.submission_id) <= (+p.sort_key, +p.submission_id)))`;

const rankRows = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<{ at: number; rank: number }>`
    with p as materialized (
      select cast(c0 as integer) as at, cast(c1 as bigint) as ranking_id,
        cast(c2 as double precision) as sort_key, cast(c3 as bigint) as submission_id,
        cast(c4 as double precision) as segment_key, cast(c5 as bigint) as segment_id,
        cast(c6 as double precision) as group_key, cast(c7 as bigint) as group_id
      from ${rowsOfList(db, rows, 8)} as given)
    select at, ${rankOf} as rank from p`,
);

export interface CountChange {
  readonly rankingId: number;
  readonly level: number;
  readonly low: Place;
  readonly by: number;
}

/** Adds to the counts of runs, in one statement. Returns the runs as they are then. */
export async function addCounts(tx: Tx, changes: readonly CountChange[]): Promise<SegmentRow[]> {
  if (changes.length === 0) return [];
  return addRows(tx.db, {
    rows: listOf(
      changes.map(({ rankingId, level, low, by }) => [rankingId, level, low.sortKey, low.submissionId, by]),
    ),
  });
}

const addRows = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<SegmentRow>`
    with d as materialized (
      select cast(c0 as bigint) as ranking, cast(c1 as integer) as at_level,
        cast(c2 as double precision) as at_key, cast(c3 as bigint) as at_id, cast(c4 as bigint) as change
      from ${rowsOfList(db, rows, 5)} as given)
    update ranking_segments set n = n + d.change from d
    where ranking_id = d.ranking and level = d.at_level and low_key = d.at_key and low_id = d.at_id
    returning ranking_id, level, low_key, low_id, n`,
);

/** How many entries each of these rankings has. */
export async function totalsOf(db: Db, rankingIds: readonly number[]): Promise<Map<number, number>> {
  if (rankingIds.length === 0) return new Map();
  const rows = await totalRows(db, { given: listOf(rankingIds.map((id) => [id])) });
  return new Map(rows.map(({ ranking_id, total }) => [ranking_id, total]));
}

const totalRows = prepared((db, { given }: Given<{ given: List<Cells> }>) =>
  db
    .selectFrom('ranking_segments')
    .select(({ fn }) => ['ranking_id', fn.sum<number>('n').as('total')])
    .where(
      'ranking_id',
      'in',
      sql<number>`(select cast(c0 as bigint) from ${rowsOfList(db, given, 1)} as given)`,
    )
    .where('level', '=', sql.lit(groupLevel))
    .groupBy('ranking_id'),
);

/** Runs of a level with their low ends in [from, to), or from there on, in order. */
export async function runsBetween(
  tx: Tx,
  rankingId: number,
  level: number,
  from: Place,
  to: Place | null,
): Promise<SegmentRow[]> {
  let query = tx.db
    .selectFrom('ranking_segments')
    .selectAll()
    .where('ranking_id', '=', rankingId)
    .where('level', '=', level)
    .where(sql<boolean>`(low_key, low_id) >= (${double(from.sortKey)}, ${from.submissionId})`)
    .orderBy('low_key')
    .orderBy('low_id');
  if (to !== null)
    query = query.where(sql<boolean>`(low_key, low_id) < (${double(to.sortKey)}, ${to.submissionId})`);
  return query.execute();
}

/** The run of a level next to a low end: the one above it, the one below it, or the one that begins at or below it. */
export async function findRun(
  tx: Tx,
  { rankingId, level, low }: Omit<CountChange, 'by'>,
  which: 'above' | 'below' | 'at or below',
): Promise<SegmentRow | undefined> {
  const comparison = sql.raw({ above: '>', below: '<', 'at or below': '<=' }[which]);
  const direction = which === 'above' ? 'asc' : 'desc';
  return tx.db
    .selectFrom('ranking_segments')
    .selectAll()
    .where('ranking_id', '=', rankingId)
    .where('level', '=', level)
    .where(sql<boolean>`(low_key, low_id) ${comparison} (${double(low.sortKey)}, ${low.submissionId})`)
    .orderBy('low_key', direction)
    .orderBy('low_id', direction)
    .limit(1)
    .executeTakeFirst();
}

/** Low ends that cut the entries in [from, to) into runs of `size`: those behind the first one's. */
export async function cutEntries(
  tx: Tx,
  rankingId: number,
  from: Place,
  to: Place | null,
  size: number,
): Promise<Place[]> {
  const below =
    to === null ? sql`true` : sql`(sort_key, submission_id) < (${double(to.sortKey)}, ${to.submissionId})`;
  const { rows } = await sql<{ sort_key: number; submission_id: number }>`
    select sort_key, submission_id from (
      select sort_key, submission_id, row_number() over (order by sort_key, submission_id) as place
      from entries
      where ranking_id = ${rankingId} and ${below}
        and (sort_key, submission_id) >= (${double(from.sortKey)}, ${from.submissionId})) as placed
    where place > 1 and (place - 1) % ${size} = 0
    order by sort_key, submission_id`.execute(tx.db);
  return rows.map((row) => ({ sortKey: row.sort_key, submissionId: row.submission_id }));
}

/** Writes runs, in one statement however many they are: a board of a million has thousands. */
export async function insertRuns(tx: Tx, runs: readonly SegmentRow[]): Promise<void> {
  if (runs.length === 0) return;
  const given = rowsOf(
    tx.db,
    runs.map(({ ranking_id, level, low_key, low_id, n }) => [ranking_id, level, low_key, low_id, n]),
    5,
  );
  await sql`
    insert into ranking_segments (ranking_id, level, low_key, low_id, n)
    select cast(c0 as bigint), cast(c1 as integer), cast(c2 as double precision), cast(c3 as bigint), cast(c4 as bigint)
    from ${given} as given`.execute(tx.db);
}

export async function setCount(tx: Tx, run: Omit<CountChange, 'by'>, n: number): Promise<void> {
  await tx.db
    .updateTable('ranking_segments')
    .set({ n })
    .where('ranking_id', '=', run.rankingId)
    .where('level', '=', run.level)
    .where('low_key', '=', run.low.sortKey)
    .where('low_id', '=', run.low.submissionId)
    .execute();
}

export async function deleteRun(tx: Tx, { rankingId, level, low }: Omit<CountChange, 'by'>): Promise<void> {
  await tx.db
    .deleteFrom('ranking_segments')
    .where('ranking_id', '=', rankingId)
    .where('level', '=', level)
    .where('low_key', '=', low.sortKey)
    .where('low_id', '=', low.submissionId)
    .execute();
}

/** A score as a parameter whose type is told: PostgreSQL would take `-3` for an integer. */
function double(value: number): RawBuilder<number> {
  return sql`+cast(${value} as double precision)`;
}

/** Deletes the counts of a ranking, which are made anew. */
export async function deleteRuns(tx: Tx, rankingId: number): Promise<void> {
  await tx.db.deleteFrom('ranking_segments').where('ranking_id', '=', rankingId).execute();
}
