import type { Tx } from '../platform/db/tx.ts';
import type { Place } from './ranking.ts';
import {
  type CountChange,
  cutEntries,
  deleteRun,
  findRun,
  findWithOthers,
  insertRuns,
  runsBetween,
  type SegmentRow,
  setCount,
} from './runs.queries.ts';
import { groupLevel, type LocatedPlace, lowest, segmentLevel } from './runs.ts';

// A ranking's order is cut into segments of about `size` entries, and those into groups of about twice as
// many segments. Each has the count of its entries (docs/decisions/0008). A group begins where a segment
// begins. Ranks are exact whatever the size of runs; `balance` keeps runs at a size that is quick to count.

type Run = Omit<CountChange, 'by'>;

/**
 * Returns the changes of the runs' counts for entries that are added (`by` 1) or removed (-1).
 * Changes that cancel out are left out.
 */
export function countChanges(places: readonly (LocatedPlace & { readonly by: number })[]): CountChange[] {
  // By a sum that few runs share: a key of all parts would have to be built as text. Many rankings have one run, with
  // the same low end, and a large ranking has many.
  const changes = new Map<number, Counted[]>();
  const add = (rankingId: number, level: number, low: Place, by: number) => {
    const key = rankingId + low.submissionId;
    const same = changes.get(key);
    const known = same?.find((run) => isRun(run, rankingId, level, low));
    if (known) known.by += by;
    else if (same) same.push({ rankingId, level, low, by });
    else changes.set(key, [{ rankingId, level, low, by }]);
  };
  for (const { rankingId, segment, group, by } of places) {
    add(rankingId, segmentLevel, segment, by);
    add(rankingId, groupLevel, group, by);
  }
  return Array.from(changes.values())
    .flat()
    .filter(({ by }) => by !== 0);
}

interface Counted extends Run {
  by: number;
}

function isRun(run: Run, rankingId: number, level: number, low: Place): boolean {
  return (
    run.rankingId === rankingId &&
    run.level === level &&
    run.low.sortKey === low.sortKey &&
    run.low.submissionId === low.submissionId
  );
}

/** Returns the runs of a ranking without entries. */
export function emptyRuns(rankingId: number): SegmentRow[] {
  const low = { ranking_id: rankingId, low_key: lowest.sortKey, low_id: lowest.submissionId, n: 0 };
  return [
    { ...low, level: segmentLevel },
    { ...low, level: groupLevel },
  ];
}

/** Returns how many segments a group has if a segment has `size` entries. */
export function segmentsInGroup(size: number): number {
  // Segments are read twice as fast as entries, and fewer of them have to be split.
  return size * 2;
}

/**
 * Splits runs that have grown past twice their size, and merges those that have shrunk below a quarter of it.
 */
export async function balance(tx: Tx, counted: readonly SegmentRow[], size: number): Promise<void> {
  const sizeOf = ({ level }: SegmentRow) => (level === groupLevel ? size * segmentsInGroup(size) : size);
  const byLevel = (left: SegmentRow, right: SegmentRow) => left.level - right.level;
  const small = counted.filter((run) => run.n < sizeOf(run) / 4).sort(byLevel);
  const large = counted.filter((run) => run.n > sizeOf(run) * 2).sort(byLevel);
  // Groups merge first, because segments merge inside a group. Segments split first, because
  // groups split between segments.
  const merged = await findWithOthers(tx, small);
  for (const run of merged.toReversed()) await merge(tx, toRun(run), sizeOf(run));
  for (const run of large) await split(tx, toRun(run), sizeOf(run));
}

/**
 * Merges a run with a neighbour. A segment merges only inside its group, so that every
 * group still begins with a segment.
 */
async function merge(tx: Tx, run: Run, size: number): Promise<void> {
  const current = await readRun(tx, run);
  // The run may have been merged already, or have grown by merging.
  if (!current || current.n >= size / 4) return;
  const bounds = run.level === segmentLevel ? await groupAround(tx, run) : null;
  const below = await findRun(tx, run, 'below');
  if (below && (bounds === null || compare(below, bounds.low) >= 0) && fits(below, current, size))
    return joinInto(tx, below, current);
  const above = await findRun(tx, run, 'above');
  const isInside = above && (bounds === null || bounds.next === null || compare(above, bounds.next) < 0);
  if (isInside && fits(current, above, size)) await joinInto(tx, current, above);
}

/** Returns whether the merged run is no longer than a run should be. An empty run always fits. */
function fits(left: SegmentRow, right: SegmentRow, size: number): boolean {
  return left.n === 0 || right.n === 0 || left.n + right.n <= size;
}

async function joinInto(tx: Tx, lower: SegmentRow, upper: SegmentRow): Promise<void> {
  await deleteRun(tx, toRun(upper));
  await setCount(tx, toRun(lower), lower.n + upper.n);
}

async function groupAround(tx: Tx, run: Run): Promise<{ low: Place; next: Place | null }> {
  const around = { ...run, level: groupLevel };
  const group = await findRun(tx, around, 'at or below');
  const next = await findRun(tx, around, 'above');
  return { low: group ? toRun(group).low : lowest, next: next ? toRun(next).low : null };
}

async function split(tx: Tx, run: Run, size: number): Promise<void> {
  const current = await readRun(tx, run);
  if (!current || current.n <= size * 2) return;
  const next = await findRun(tx, run, 'above');
  const end = next ? toRun(next).low : null;
  const pieceSize = Math.ceil(current.n / Math.floor(current.n / size));
  const pieces =
    run.level === segmentLevel
      ? await cutSegment(tx, run, end, current.n, pieceSize)
      : cutGroup(await runsBetween(tx, run.rankingId, segmentLevel, run.low, end), pieceSize);
  const [first, ...others] = pieces;
  if (!first || others.length === 0) return;
  await setCount(tx, run, first.n);
  await insertRuns(
    tx,
    others.map(({ low, n }) => ({
      ranking_id: run.rankingId,
      level: run.level,
      low_key: low.sortKey,
      low_id: low.submissionId,
      n,
    })),
  );
}

interface Piece {
  readonly low: Place;
  readonly n: number;
}

async function cutSegment(tx: Tx, run: Run, end: Place | null, n: number, size: number): Promise<Piece[]> {
  const lows = [run.low, ...(await cutEntries(tx, run.rankingId, run.low, end, size))];
  return lows.map((low, index) => ({ low, n: index < lows.length - 1 ? size : n - size * index }));
}

/** Cuts a group's segments into pieces of at least `size` entries each, except the last. */
function cutGroup(segments: readonly SegmentRow[], size: number): Piece[] {
  const pieces: { low: Place; n: number }[] = [];
  for (const segment of segments) {
    const last = pieces.at(-1);
    if (last && last.n < size) last.n += segment.n;
    else pieces.push({ low: toRun(segment).low, n: segment.n });
  }
  return pieces;
}

async function readRun(tx: Tx, run: Run): Promise<SegmentRow | undefined> {
  const found = await findRun(tx, run, 'at or below');
  return found && compare(found, run.low) === 0 ? found : undefined;
}

function toRun({ ranking_id, level, low_key, low_id }: SegmentRow): Run {
  return { rankingId: ranking_id, level, low: { sortKey: low_key, submissionId: low_id } };
}

function compare({ low_key, low_id }: SegmentRow, low: Place): number {
  return low_key - low.sortKey || low_id - low.submissionId;
}
