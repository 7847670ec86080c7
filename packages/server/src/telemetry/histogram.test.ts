import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bucketOf, quantilesOf, waitBoundsMs, weightBoundsBytes } from './histogram.ts';

const counted = (bounds: readonly number[], values: readonly number[]) => {
  const counts = new Map<number, number>();
  for (const value of values) {
    const bucket = bucketOf(bounds, value);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  return counts;
};

describe('quantiles of a histogram', () => {
  it('do not exist without values', () => {
    assert.equal(quantilesOf(waitBoundsMs, new Map()), null);
  });

  it('count each value in its range', () => {
    assert.deepEqual(
      [0, 99, 100, 999, 1_000, 119_999, 120_000, 9_999_999].map((ms) => bucketOf(waitBoundsMs, ms)),
      [0, 0, 1, 5, 6, 17, 18, 18],
    );
  });

  it('are in the same range as the true median and percentile', () => {
    for (const bounds of [waitBoundsMs, weightBoundsBytes])
      fc.assert(
        fc.property(fc.array(fc.nat({ max: (bounds.at(-1) ?? 0) - 1 }), { minLength: 1 }), (values) => {
          const sorted = values.toSorted((left, right) => left - right);
          const found = quantilesOf(bounds, counted(bounds, values));
          const trueAt = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
          for (const [value, part] of [
            [found?.median ?? -1, 0.5],
            [found?.p90 ?? -1, 0.9],
          ] as const) {
            const bucket = bucketOf(bounds, trueAt(part));
            const [start, end] = [bounds[bucket - 1] ?? 0, bounds[bucket] ?? 0];
            assert.ok(start <= value && value <= end, `${value} of ${sorted}`);
          }
        }),
      );
  });
});
