import { mustAt } from '../platform/must.ts';
import type { Place } from './ranking.ts';
import { groupLevel, type LocatedPlace, lowest, segmentLevel } from './runs.ts';

/** Runs of a level whose low ends are in [from, to), and whose counts are summed. */
export interface RunRange {
  readonly rankingId: number;
  readonly level: number;
  readonly from: Place;
  readonly to: Place;
}

/** What has to be summed for some places. */
export interface SumsBelow {
  /** No run is in two of them, so however many places there are, each count is read once. */
  readonly ranges: readonly RunRange[];
  /** Returns how many entries are below the segment of each place, from the sums of the ranges. */
  below(sums: readonly number[]): number[];
}

/**
 * Returns how to count the entries below the segments of places. In the order of their segments, the sum for
 * a place begins where that for the place before ends.
 */
export function sumsBelow(places: readonly LocatedPlace[]): SumsBelow {
  const ranges: RunRange[] = [];
  /** For each range, the range that its sum is added to; -1 for none. It has a lower index. */
  const continued: number[] = [];
  const add = (range: RunRange, after: number): number => {
    if (isSame(range.from, range.to)) return after;
    continued.push(after);
    return ranges.push(range) - 1;
  };
  /** For each place, the range that ends where its segment begins; -1 if there is none below. */
  const lastOf: number[] = new Array(places.length);
  let [inGroups, inSegments] = [-1, -1];
  let before: LocatedPlace | undefined;
  for (const at of [...places.keys()].sort((one, other) =>
    compare(mustAt(places, one), mustAt(places, other)),
  )) {
    const place = mustAt(places, at);
    const { rankingId, group, segment } = place;
    if (before?.rankingId !== rankingId) {
      inGroups = add({ rankingId, level: groupLevel, from: lowest, to: group }, -1);
      inSegments = add({ rankingId, level: segmentLevel, from: group, to: segment }, inGroups);
    } else if (isSame(before.group, group)) {
      inSegments = add({ rankingId, level: segmentLevel, from: before.segment, to: segment }, inSegments);
    } else {
      inGroups = add({ rankingId, level: groupLevel, from: before.group, to: group }, inGroups);
      inSegments = add({ rankingId, level: segmentLevel, from: group, to: segment }, inGroups);
    }
    lastOf[at] = inSegments;
    before = place;
  }
  return {
    ranges,
    below(sums) {
      const totals: number[] = [];
      for (const [index, after] of continued.entries())
        totals.push(mustAt(sums, index) + (totals[after] ?? 0));
      return lastOf.map((last) => totals[last] ?? 0);
    },
  };
}

/** Compares by ranking, then by segment. */
function compare(one: LocatedPlace, other: LocatedPlace): number {
  return (
    one.rankingId - other.rankingId ||
    one.segment.sortKey - other.segment.sortKey ||
    one.segment.submissionId - other.segment.submissionId
  );
}

function isSame(one: Place, other: Place): boolean {
  return one.sortKey === other.sortKey && one.submissionId === other.submissionId;
}
