import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Place } from './ranking.ts';
import { groupLevel, type LocatedPlace, lowest } from './runs.ts';
import { type RunRange, sumsBelow } from './sums-below.ts';

/** Runs of each ranking: a segment of one to three entries at every ten, and a group at every forty. */
const rankings = [1, 2];
const segments: Place[] = [
  lowest,
  ...Array.from({ length: 30 }, (_, index) => ({ sortKey: (index + 1) * 10, submissionId: index % 3 })),
];
const groups = segments.filter((_, index) => index % 4 === 0);
const countOf = (rankingId: number, segment: number) => 1 + ((segment + rankingId) % 3);

const isBelow = (one: Place, other: Place) =>
  one.sortKey < other.sortKey || (one.sortKey === other.sortKey && one.submissionId < other.submissionId);

function located(rankingId: number, index: number): LocatedPlace {
  const segment = segments[index] ?? lowest;
  const group = groups.findLast((low) => !isBelow(segment, low)) ?? lowest;
  return { rankingId, sortKey: segment.sortKey + 1, submissionId: 7, segment, group };
}

/** Counts in the table of runs, as the statement does. */
function sumOf({ rankingId, level, from, to }: RunRange): number {
  let sum = 0;
  for (const [index, low] of segments.entries()) {
    const run = level === groupLevel ? (groups.findLast((group) => !isBelow(low, group)) ?? lowest) : low;
    if (!isBelow(run, from) && isBelow(run, to)) sum += countOf(rankingId, index);
  }
  return sum;
}

const places = [3, 17, 0, 17, 4, 30, 12, 18, 1, 4].flatMap((index, at) =>
  rankings.slice(at % 2).map((rankingId) => located(rankingId, index)),
);

it('sums the entries below each segment, whatever the order of the places', () => {
  const { ranges, below } = sumsBelow(places);
  const expected = places.map(({ rankingId, segment }) =>
    segments.reduce((sum, low, index) => sum + (isBelow(low, segment) ? countOf(rankingId, index) : 0), 0),
  );
  assert.deepEqual(below(ranges.map(sumOf)), expected);
});

it('reads no run twice', () => {
  const { ranges } = sumsBelow(places);
  for (const rankingId of rankings)
    for (const level of [0, groupLevel])
      for (const low of level === groupLevel ? groups : segments) {
        const reading = ranges.filter(
          (range) =>
            range.rankingId === rankingId &&
            range.level === level &&
            !isBelow(low, range.from) &&
            isBelow(low, range.to),
        );
        assert.ok(reading.length <= 1, `${reading.length} ranges read the run at ${low.sortKey}`);
      }
});

it('needs no sum for places in the first segment', () => {
  const { ranges, below } = sumsBelow([located(1, 0), located(1, 0)]);
  assert.deepEqual(ranges, []);
  assert.deepEqual(below([]), [0, 0]);
});
