import { type RawBuilder, sql } from 'kysely';
import { hasLateralJoins, rowsOfList } from '../platform/db/dialect.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared, preparedForEach } from '../platform/db/prepared.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { mustAt } from '../platform/must.ts';
import { keepRuns, locateKept, lookInto, rankCountKept } from './kept-runs.ts';
import { findRuns } from './runs.queries.ts';
import { after, groupLevel, type LocatedPlace, type RankedPlace, segmentLevel } from './runs.ts';
import { sumsBelow } from './sums-below.ts';

// The plus signs take the type of a value away. If the value of a comparison has a type, SQLite uses only the
// first half of a pair in the index, and reads all equal scores to find the second half.

/** Selects columns of the low end of the run, at a level, that contains the place of a row of `p`. */
function lowOf(level: number, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select ${columns} from ranking_segments
    where ranking_id = p.ranking_id and level = ${sql.lit(level)}
      and (low_key, low_id) <= (+p.sort_key, +p.submission_id)
    order by low_key desc, low_id desc limit 1)`;
}

const [lowKey, lowId] = [sql`low_key`, sql`low_id`];

/**
 * Selects `columns`, and those that `rankOf` needs in addition, of rows `p` that have ranking_id, sort_key and
 * submission_id. Where the engine can, both parts of a low end are looked up at once.
 */
export function withRuns(
  db: Db,
  columns: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (hasLateralJoins(db))
    return sql`
      select ${columns}, segment.low_key as segment_key, segment.low_id as segment_id,
        run_group.low_key as group_key, run_group.low_id as group_id
      from ${from} as p
        cross join lateral ${lowOf(segmentLevel, sql`low_key, low_id`)} as segment
        cross join lateral ${lowOf(groupLevel, sql`low_key, low_id`)} as run_group`;
  return sql`
    select ${columns}, ${lowOf(segmentLevel, lowKey)} as segment_key, ${lowOf(segmentLevel, lowId)} as segment_id,
      ${lowOf(groupLevel, lowKey)} as group_key, ${lowOf(groupLevel, lowId)} as group_id
    from ${from} as p`;
}

/** Selects `columns`, and those that `countInSegment` needs in addition, of the same rows. */
export function withSegment(columns: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select ${columns}, ${lowOf(segmentLevel, lowKey)} as segment_key, ${lowOf(segmentLevel, lowId)} as segment_id
    from ${from} as p`;
}

/**
 * Finds the runs that contain these places, in the order asked: in memory if they are
 * kept there, else in one statement.
 */
export async function locate(tx: Tx, places: readonly RankedPlace[]): Promise<LocatedPlace[]> {
  if (places.length === 0) return [];
  for (const rankingId of lookInto(tx, places)) keepRuns(tx, rankingId, await findRuns(tx, rankingId));
  const located = places.map((place) => locateKept(tx, place));
  const asked = places.flatMap(({ rankingId, sortKey, submissionId }, at) =>
    located[at] === null ? [[at, rankingId, sortKey, submissionId]] : [],
  );
  for (const row of asked.length === 0 ? [] : await locateRows(tx.db, { rows: listOf(asked) })) {
    const { rankingId, sortKey, submissionId } = mustAt(places, row.at);
    located[row.at] = {
      rankingId,
      sortKey,
      submissionId,
      segment: { sortKey: row.segment_key, submissionId: row.segment_id },
      group: { sortKey: row.group_key, submissionId: row.group_id },
    };
  }
  return located.map((_, at) => mustAt(located, at) ?? withoutRuns());
}

function withoutRuns(): never {
  throw new Error('a place in no run');
}

interface Located {
  at: number;
  segment_key: number;
  segment_id: number;
  group_key: number;
  group_id: number;
}

const placeTypes = ['integer', 'bigint', 'double precision', 'bigint'] as const;
const rangeTypes = [
  ...(['integer', 'bigint', 'integer'] as const),
  ...(['double precision', 'bigint', 'double precision', 'bigint'] as const),
] as const;

const locateRows = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<Located>`
    with p as materialized (
      select cast(c0 as integer) as at, cast(c1 as bigint) as ranking_id,
        cast(c2 as double precision) as sort_key, cast(c3 as bigint) as submission_id
      from ${rowsOfList(db, rows, placeTypes)} as given)
    ${withRuns(db, sql`at`, sql`p`)}`,
);

/**
 * Returns the ranks of located places, from 1: the sum of the groups below, the segments below inside the
 * group, and the entries up to the place inside the segment. Only entries of one segment are read if the runs
 * are kept in memory.
 */
export async function ranksOf(tx: Tx, places: readonly LocatedPlace[]): Promise<number[]> {
  const kept = places.map((place) => rankCountKept(tx, place));
  const unknown = places.filter((_, at) => kept[at] === null);
  const counted = kept.map((count, at) => {
    const place = mustAt(places, at);
    const { from, to } = count ?? { from: place.segment, to: after(place) };
    return [at, place.rankingId, from.sortKey, from.submissionId, to.sortKey, to.submissionId];
  });
  const [below, rows] = await Promise.all([
    belowCounted(tx, unknown),
    counted.length === 0 ? [] : entryRows(tx.db, { rows: listOf(counted) }),
  ]);
  let next = 0;
  const ranks = kept.map((count) => count?.base ?? mustAt(below, next++));
  for (const { at, n } of rows) ranks[at] = mustAt(ranks, at) + n * (kept[at]?.sign ?? 1);
  return ranks;
}

/** Returns how many entries are below the segments of these places, from the rows of their runs. */
async function belowCounted(tx: Tx, places: readonly LocatedPlace[]): Promise<number[]> {
  const { ranges, below } = sumsBelow(places);
  const rows = ranges.map(({ rankingId, level, from, to }, at) => [
    at,
    rankingId,
    level,
    from.sortKey,
    from.submissionId,
    to.sortKey,
    to.submissionId,
  ]);
  const sums: number[] = new Array(ranges.length);
  if (rows.length > 0)
    for (const { at, sum } of await rangeRows(tx.db, { rows: listOf(rows) })) sums[at] = sum;
  return below(sums);
}

/** The number of entries up to the place of a row of `p`, inside the segment of the place. */
export const countInSegment: RawBuilder<number> = sql`(
  select count(*) from entries
  where entries.ranking_id = p.ranking_id
    and (entries.sort_key, entries.submission_id) >= (+p.segment_key, +p.segment_id)
    and (entries.sort_key, entries.submission_id) <= (+p.sort_key, +p.submission_id))`;

/** The rank of the place of a row of `p` with its runs. */
export const rankOf: RawBuilder<number> = sql`(
  coalesce((select sum(n) from ranking_segments
    where ranking_id = p.ranking_id and level = ${sql.lit(groupLevel)}
      and (low_key, low_id) < (+p.group_key, +p.group_id)), 0)
  + coalesce((select sum(n) from ranking_segments
    where ranking_id = p.ranking_id and level = ${sql.lit(segmentLevel)}
      and (low_key, low_id) >= (+p.group_key, +p.group_id)
      and (low_key, low_id) < (+p.segment_key, +p.segment_id)), 0)
  + ${countInSegment})`;

const rangeRows = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<{ at: number; sum: number }>`
    with p as materialized (
      select cast(c0 as integer) as at, cast(c1 as bigint) as ranking_id, cast(c2 as integer) as at_level,
        cast(c3 as double precision) as from_key, cast(c4 as bigint) as from_id,
        cast(c5 as double precision) as to_key, cast(c6 as bigint) as to_id
      from ${rowsOfList(db, rows, rangeTypes)} as given)
    select at, coalesce((select sum(n) from ranking_segments
      where ranking_id = p.ranking_id and level = p.at_level
        and (low_key, low_id) >= (+p.from_key, +p.from_id)
        and (low_key, low_id) < (+p.to_key, +p.to_id)), 0) as sum
    from p`,
);

const entryRows = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<{ at: number; n: number }>`
    with p as materialized (
      select cast(c0 as integer) as at, cast(c1 as bigint) as ranking_id,
        cast(c2 as double precision) as from_key, cast(c3 as bigint) as from_id,
        cast(c4 as double precision) as to_key, cast(c5 as bigint) as to_id
      from ${rowsOfList(db, rows, [...placeTypes, 'double precision', 'bigint'])} as given)
    select at, (select count(*) from entries
      where entries.ranking_id = p.ranking_id
        and (entries.sort_key, entries.submission_id) >= (+p.from_key, +p.from_id)
        and (entries.sort_key, entries.submission_id) < (+p.to_key, +p.to_id)) as n
    from p`,
);

/** Returns how many entries each of these rankings has. */
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
