import { type RawBuilder, type Selectable, sql } from 'kysely';
import { rowsOf, rowsOfList } from '../platform/db/dialect.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared, preparedForEach } from '../platform/db/prepared.ts';
import type { Db, RankingSegmentsTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { mustAt } from '../platform/must.ts';
import { countKept, forgetRuns, mostRuns, noteGone, noteRuns } from './kept-runs.ts';
import type { Place } from './ranking.ts';

export type SegmentRow = Selectable<RankingSegmentsTable>;

export interface CountChange {
  readonly rankingId: number;
  readonly level: number;
  readonly low: Place;
  readonly by: number;
}

/** Adds to the counts of runs, in one statement. Returns the runs with their new counts. */
export async function addCounts(tx: Tx, changes: readonly CountChange[]): Promise<SegmentRow[]> {
  if (changes.length === 0) return [];
  const counted = await addRows(tx.db, {
    rows: listOf(
      changes.map(({ rankingId, level, low, by }) => [rankingId, level, low.sortKey, low.submissionId, by]),
    ),
  });
  noteRuns(tx, counted);
  return counted;
}

const addRows = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<SegmentRow>`
    with d as materialized (
      select cast(c0 as bigint) as ranking, cast(c1 as integer) as at_level,
        cast(c2 as double precision) as at_key, cast(c3 as bigint) as at_id, cast(c4 as bigint) as change
      from ${rowsOfList(db, rows, ['bigint', 'integer', 'double precision', 'bigint', 'bigint'])} as given)
    update ranking_segments set n = n + d.change from d
    where ranking_id = d.ranking and level = d.at_level and low_key = d.at_key and low_id = d.at_id
    returning ranking_id, level, low_key, low_id, n`,
);

/**
 * Returns those of these runs that are not the only one of their ranking and level, in the order given. Most boards
 * have few entries, and so one run of each level.
 */
export async function findWithOthers(tx: Tx, runs: readonly SegmentRow[]): Promise<SegmentRow[]> {
  const counts = runs.map(({ ranking_id, level }) => countKept(tx, ranking_id, level));
  const asked = runs.flatMap(({ ranking_id, level }, at) =>
    counts[at] === null ? [[at, ranking_id, level]] : [],
  );
  if (asked.length > 0)
    for (const { at, count } of await countRows(tx.db, { rows: listOf(asked) })) counts[at] = count;
  return runs.filter((_, at) => mustAt(counts, at) !== 1);
}

/** Counts to two. */
const countRows = preparedForEach(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<{ at: number; count: number }>`
    with p as materialized (
      select cast(c0 as integer) as at, cast(c1 as bigint) as ranking, cast(c2 as integer) as at_level
      from ${rowsOfList(db, rows, ['integer', 'bigint', 'integer'])} as given)
    select at, (select count(*) from (
        select 1 from ranking_segments as run
        where run.ranking_id = p.ranking and run.level = p.at_level limit 2) as first_two) as count
    from p`,
);

/**
 * Returns the runs of a level whose low ends are in [from, to), in order. If `to` is
 * null, there is no upper bound.
 */
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

/**
 * Returns the run of a level next to a low end: the one above it, the one below it, or the
 * one that begins at or below it.
 */
export async function findRun(
  tx: Tx,
  { rankingId, level, low }: Omit<CountChange, 'by'>,
  which: 'above' | 'below' | 'at or below',
): Promise<SegmentRow | undefined> {
  const [run] = await nextRuns[which](tx.db, {
    rankingId,
    level,
    lowKey: low.sortKey,
    lowId: low.submissionId,
  });
  return run;
}

function nextRun(comparison: '>' | '<' | '<=', direction: 'asc' | 'desc') {
  interface Named {
    readonly rankingId: number;
    readonly level: number;
    readonly lowKey: number;
    readonly lowId: number;
  }
  return prepared(
    (_db, { rankingId, level, lowKey, lowId }: Given<Named>) => sql<SegmentRow>`
      select ranking_id, level, low_key, low_id, n from ranking_segments
      where ranking_id = cast(${rankingId} as bigint) and level = cast(${level} as integer)
        and (low_key, low_id) ${sql.raw(comparison)} (+cast(${lowKey} as double precision), +cast(${lowId} as bigint))
      order by low_key ${sql.raw(direction)}, low_id ${sql.raw(direction)} limit 1`,
  );
}

const nextRuns = {
  above: nextRun('>', 'asc'),
  below: nextRun('<', 'desc'),
  'at or below': nextRun('<=', 'desc'),
};

/**
 * Returns the runs of a ranking, grouped by level and in order. The limit is one
 * more than the number that is kept.
 */
export async function findRuns({ db }: { readonly db: Db }, rankingId: number): Promise<SegmentRow[]> {
  return allRuns(db, { rankingId, most: mostRuns + 1 });
}

const allRuns = prepared((db, { rankingId, most }: Given<{ rankingId: number; most: number }>) =>
  db
    .selectFrom('ranking_segments')
    .select(['ranking_id', 'level', 'low_key', 'low_id', 'n'])
    .where('ranking_id', '=', rankingId)
    .orderBy('level')
    .orderBy('low_key')
    .orderBy('low_id')
    .limit(most),
);

/** Cuts the entries in [from, to) into runs of `size`. Returns the low ends of all runs but the first. */
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

/** Writes runs in one statement, however many they are: a board with a million entries has thousands. */
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
  noteRuns(tx, runs);
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
  noteRuns(tx, [
    {
      ranking_id: run.rankingId,
      level: run.level,
      low_key: run.low.sortKey,
      low_id: run.low.submissionId,
      n,
    },
  ]);
}

export async function deleteRun(tx: Tx, { rankingId, level, low }: Omit<CountChange, 'by'>): Promise<void> {
  await tx.db
    .deleteFrom('ranking_segments')
    .where('ranking_id', '=', rankingId)
    .where('level', '=', level)
    .where('low_key', '=', low.sortKey)
    .where('low_id', '=', low.submissionId)
    .execute();
  noteGone(tx, { rankingId, level, low });
}

/** Binds a score with its type: PostgreSQL would take `-3` for an integer. */
function double(value: number): RawBuilder<number> {
  return sql`+cast(${value} as double precision)`;
}

/** Deletes the runs of a ranking, before they are made again. */
export async function deleteRuns(tx: Tx, rankingId: number): Promise<void> {
  await tx.db.deleteFrom('ranking_segments').where('ranking_id', '=', rankingId).execute();
  forgetRuns(tx, rankingId);
}
