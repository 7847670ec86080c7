import type { Tx } from '../platform/db/tx.ts';
import { type Keeper, type KeptRanking, keeperOf } from './kept-rankings.ts';
import type { Place } from './ranking.ts';
import {
  after,
  groupLevel,
  type LocatedPlace,
  type RankedPlace,
  type Run,
  Runs,
  segmentLevel,
} from './runs.ts';

// Keeps the runs of busy rankings in memory, in addition to their rows. To compute a rank, only the entries of
// one segment have to be read then (docs/decisions/0008). Code that writes runs reports it to `noteRuns` and
// the like in the same transaction.

/**
 * The most runs that are kept of one ranking: about half a million entries. Reading
 * more would delay other requests.
 */
export const mostRuns = 8_192;

/**
 * Counts look-ups of these places. Returns the rankings that should be kept now and are not: the caller reads
 * their runs and passes them to `keepRuns`.
 */
export function lookInto(tx: Tx, places: readonly RankedPlace[]): number[] {
  const keeper = keeperOf(tx);
  if (keeper === null) return [];
  const busy = new Set<number>();
  for (const { rankingId } of places) {
    if (keeper.kept.has(rankingId)) continue;
    const looks = (keeper.looks.get(rankingId) ?? 0) + 1;
    keeper.looks.set(rankingId, looks);
    if (looks >= keeper.looksUntilKept(rankingId)) busy.add(rankingId);
  }
  return [...busy];
}

/**
 * Keeps every run of a ranking that was just read, grouped by level and in order. A ranking
 * with too many runs is not kept.
 */
export function keepRuns(tx: Tx, rankingId: number, rows: readonly KeptRow[]): void {
  const keeper = keeperOf(tx);
  if (keeper !== null) keepIn(keeper, rankingId, rows);
}

/** Does the same where there is no transaction. */
export function keepIn(
  keeper: Pick<Keeper, 'kept' | 'looks'>,
  rankingId: number,
  rows: readonly KeptRow[],
): void {
  if (rows.length > mostRuns) {
    keeper.looks.set(rankingId, Number.NaN);
    return;
  }
  keeper.looks.delete(rankingId);
  const at = (wanted: number) => new Runs(rows.filter(({ level }) => level === wanted));
  keeper.kept.set(rankingId, { segments: at(segmentLevel), groups: at(groupLevel) });
}

/** Returns null if the runs are not in memory. */
export function locateKept(tx: Tx, { rankingId, sortKey, submissionId }: RankedPlace): LocatedPlace | null {
  const kept = keeperOf(tx)?.kept.get(rankingId);
  if (!kept) return null;
  const place = { sortKey, submissionId };
  const [segment, group] = [kept.segments.at(place), kept.groups.at(place)];
  if (segment < 0 || group < 0) return null;
  return { rankingId, ...place, segment: kept.segments.low(segment), group: kept.groups.low(group) };
}

/** How to compute a rank: `base` plus, or minus, the number of entries with places in [from, to). */
export interface RankCount {
  readonly base: number;
  readonly sign: 1 | -1;
  readonly from: Place;
  readonly to: Place;
}

/**
 * Returns how to compute the rank of a place: with the entries of its segment below it, or with those above it
 * if they are probably fewer. Returns null if the runs are not in memory.
 */
export function rankCountKept(tx: Tx, place: LocatedPlace): RankCount | null {
  const { rankingId, segment, group } = place;
  const kept = keeperOf(tx)?.kept.get(rankingId);
  if (!kept) return null;
  const { segments } = kept;
  const at = segments.at(segment);
  const below = countBelow(kept, at, group);
  const next = at + 1 < segments.length ? segments.low(at + 1) : null;
  // The first segment has no lowest score, and the last one no highest.
  return at > 0 && next !== null && isInUpperHalf(place, segment, next)
    ? { base: below + segments.sum(at, at + 1), sign: -1, from: after(place), to: next }
    : { base: below, sign: 1, from: segment, to: after(place) };
}

/** Returns how many entries are below a segment, which is in this group. */
export function countBelow({ groups, segments }: KeptRanking, segment: number, group: Place): number {
  return groups.sum(0, groups.at(group)) + segments.sum(segments.at(group), segment);
}

/** Returns whether a place is probably nearer to `next` than to `low`. */
function isInUpperHalf(place: Place, low: Place, next: Place): boolean {
  if (low.sortKey === next.sortKey) return place.submissionId * 2 > low.submissionId + next.submissionId;
  return place.sortKey * 2 > low.sortKey + next.sortKey;
}

/** Returns how many runs of a level a ranking has; null if they are not in memory. */
export function countKept(tx: Tx, rankingId: number, level: number): number | null {
  return runsOf(keeperOf(tx)?.kept.get(rankingId), level)?.length ?? null;
}

/** Updates kept runs that were added, or whose counts changed. */
export function noteRuns(tx: Tx, rows: readonly KeptRow[]): void {
  const keeper = keeperOf(tx);
  if (keeper === null) return;
  for (const row of rows) {
    runsOf(keeper.kept.get(row.ranking_id), row.level)?.put(row);
    keeper.changed(row.ranking_id, tx);
  }
}

export function noteGone(
  tx: Tx,
  { rankingId, level, low }: { readonly rankingId: number; readonly level: number; readonly low: Place },
): void {
  const keeper = keeperOf(tx);
  runsOf(keeper?.kept.get(rankingId), level)?.delete(low);
  keeper?.changed(rankingId, tx);
}

/** Drops the kept runs of a ranking whose runs were all deleted or replaced. */
export function forgetRuns(tx: Tx, rankingId: number): void {
  const keeper = keeperOf(tx);
  keeper?.kept.delete(rankingId);
  keeper?.changed(rankingId, tx);
}

function runsOf(kept: KeptRanking | undefined, level: number): Runs | undefined {
  return level === groupLevel ? kept?.groups : kept?.segments;
}

interface KeptRow extends Run {
  readonly ranking_id: number;
  readonly level: number;
}
