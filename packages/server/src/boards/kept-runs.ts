import { LRUCache } from 'lru-cache';
import type { Tx } from '../platform/db/tx.ts';
import type { Place } from './ranking.ts';
import { groupLevel, type LocatedPlace, type RankedPlace, type Run, Runs, segmentLevel } from './runs.ts';

/**
 * The runs of rankings that are written to often, in memory beside their rows: of what a rank is made of only the entries of
 * one segment are left to be read (docs/decisions/0008). Kept only where nobody but this process writes, and for as long as that
 * is so (`Tx.era`). Whatever writes runs tells it to `noteRuns` and the like in the same transaction.
 */
interface KeptRanking {
  readonly segments: Runs;
  readonly groups: Runs;
}

/** Reading a ranking whole pays once it was looked into so often. */
const placesUntilKept = 32;
/** Of one ranking: of half a million entries. More would hold up everyone while they are read. */
export const mostRuns = 8_192;
/** Of all rankings, some 24 bytes each. */
const mostRunsInAll = 131_072;

interface Era {
  readonly kept: LRUCache<number, KeptRanking>;
  /** How often a ranking was looked into that is not kept; NaN for one that is too large. */
  readonly looks: LRUCache<number, number>;
}

const eras = new WeakMap<object, Era>();

function eraOf(tx: Tx): Era | null {
  const key = tx.era();
  if (key === null) return null;
  let era = eras.get(key);
  if (!era) {
    era = {
      kept: new LRUCache({
        maxSize: mostRunsInAll,
        sizeCalculation: ({ segments, groups }) => segments.length + groups.length + 1,
      }),
      looks: new LRUCache({ max: 10_000 }),
    };
    eras.set(key, era);
  }
  return era;
}

/**
 * Counts that these places are looked for. Answers the rankings among theirs that are worth being kept and are not: the caller
 * reads them and gives them to `keepRuns`.
 */
export function lookInto(tx: Tx, places: readonly RankedPlace[]): number[] {
  const era = eraOf(tx);
  if (era === null) return [];
  const busy = new Set<number>();
  for (const { rankingId } of places) {
    if (era.kept.has(rankingId)) continue;
    const looks = (era.looks.get(rankingId) ?? 0) + 1;
    era.looks.set(rankingId, looks);
    if (looks >= placesUntilKept) busy.add(rankingId);
  }
  return [...busy];
}

/** Keeps what was just read: every run of a ranking, those of a level together and in order. More than are kept are not. */
export function keepRuns(tx: Tx, rankingId: number, rows: readonly KeptRow[]): void {
  const era = eraOf(tx);
  if (era === null) return;
  if (rows.length > mostRuns) {
    era.looks.set(rankingId, Number.NaN);
    return;
  }
  era.looks.delete(rankingId);
  const at = (wanted: number) => new Runs(rows.filter(({ level }) => level === wanted));
  era.kept.set(rankingId, { segments: at(segmentLevel), groups: at(groupLevel) });
}

/** Null where it is not known in memory. */
export function locateKept(tx: Tx, { rankingId, sortKey, submissionId }: RankedPlace): LocatedPlace | null {
  const kept = eraOf(tx)?.kept.get(rankingId);
  if (!kept) return null;
  const place = { sortKey, submissionId };
  const [segment, group] = [kept.segments.at(place), kept.groups.at(place)];
  if (segment < 0 || group < 0) return null;
  return { rankingId, ...place, segment: kept.segments.low(segment), group: kept.groups.low(group) };
}

/** How many entries are in the segments below that of a place; null where that is not known in memory. */
export function belowKept(tx: Tx, { rankingId, segment, group }: LocatedPlace): number | null {
  const kept = eraOf(tx)?.kept.get(rankingId);
  if (!kept) return null;
  return (
    kept.groups.sum(0, kept.groups.at(group)) +
    kept.segments.sum(kept.segments.at(group), kept.segments.at(segment))
  );
}

/** Runs came, or have other counts. */
export function noteRuns(tx: Tx, rows: readonly KeptRow[]): void {
  const kept = eraOf(tx)?.kept;
  if (kept) for (const row of rows) runsOf(kept.get(row.ranking_id), row.level)?.put(row);
}

export function noteGone(
  tx: Tx,
  { rankingId, level, low }: { readonly rankingId: number; readonly level: number; readonly low: Place },
): void {
  runsOf(eraOf(tx)?.kept.get(rankingId), level)?.delete(low);
}

/** The runs of a ranking are all gone, or are others. */
export function forgetRuns(tx: Tx, rankingId: number): void {
  eraOf(tx)?.kept.delete(rankingId);
}

function runsOf(kept: KeptRanking | undefined, level: number): Runs | undefined {
  return level === groupLevel ? kept?.groups : kept?.segments;
}

interface KeptRow extends Run {
  readonly ranking_id: number;
  readonly level: number;
}
