import type { Quantiles } from '@spaceport/contract/telemetry';

/**
 * Fixed ranges, so that counts of different days can be added up. Range `i` ends before `bounds[i]`; the last
 * range has no end. The error of a quantile is at most the width of its range.
 */
export const waitBoundsMs = [
  100, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 16_000, 24_000, 32_000,
  60_000, 120_000,
] as const;

const KB = 1_000;
const MB = 1_000_000;
export const weightBoundsBytes = [
  10 * KB,
  30 * KB,
  100 * KB,
  200 * KB,
  300 * KB,
  500 * KB,
  700 * KB,
  MB,
  1.5 * MB,
  2 * MB,
  3 * MB,
  5 * MB,
  7 * MB,
  10 * MB,
  15 * MB,
  20 * MB,
  30 * MB,
  50 * MB,
  70 * MB,
  100 * MB,
  200 * MB,
] as const;

export function bucketOf(bounds: readonly number[], value: number): number {
  const found = bounds.findIndex((bound) => value < bound);
  return found === -1 ? bounds.length : found;
}

/** Returns the median and the 90th percentile of counts by range; null if there are none. */
export function quantilesOf(bounds: readonly number[], counts: ReadonlyMap<number, number>): Quantiles {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  return { median: quantile(bounds, counts, total * 0.5), p90: quantile(bounds, counts, total * 0.9) };
}

/**
 * Returns the `wanted`th value, as if the values of a range were spread evenly in it. Values over the last
 * bound count as that bound.
 */
function quantile(bounds: readonly number[], counts: ReadonlyMap<number, number>, wanted: number): number {
  let before = 0;
  for (const [bucket, end] of bounds.entries()) {
    const count = counts.get(bucket) ?? 0;
    if (count > 0 && before + count >= wanted) {
      const start = bounds[bucket - 1] ?? 0;
      return Math.round(start + ((end - start) * (wanted - before)) / count);
    }
    before += count;
  }
  return bounds.at(-1) ?? 0;
}
