import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toTimestamp } from './clock.ts';

const farthest = 8.64e15;

describe('toTimestamp', () => {
  it('writes every instant as toISOString does', () => {
    const near = fc.integer({ min: -1e13, max: 1e13 });
    const any = fc.integer({ min: -farthest, max: farthest });
    fc.assert(
      fc.property(fc.oneof(near, any), (instant) => {
        assert.equal(toTimestamp(instant), new Date(instant).toISOString());
      }),
      { examples: [[0], [-1], [86_399_999], [86_400_000], [farthest], [-farthest]] },
    );
  });

  it('refuses what is no instant', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, farthest + 86_400_000])
      assert.throws(() => toTimestamp(value), RangeError);
  });
});
