import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatScore } from './score.ts';

describe('a score', () => {
  const plain = { metric: 'score', unit: null, decimals: 0 } as const;

  it('is a number with its decimals and its unit', () => {
    assert.equal(formatScore(1234567, plain), '1,234,567');
    assert.equal(formatScore(12.345, { ...plain, decimals: 2 }), '12.35');
    assert.equal(formatScore(-3, { ...plain, unit: 'pts' }), '−3 pts');
    assert.equal(formatScore(-0.4, plain), '0');
    assert.equal(formatScore(99.5, { ...plain, metric: 'percent', decimals: 1 }), '99.5 %');
    assert.equal(formatScore(4, { ...plain, unit: '' }), '4');
  });

  it('is a time as on a stopwatch where it counts milliseconds', () => {
    const time = { ...plain, metric: 'time' } as const;
    assert.equal(formatScore(0, time), '0:00.000');
    assert.equal(formatScore(61_042, time), '1:01.042');
    assert.equal(formatScore(59_999.6, time), '1:00.000');
    assert.equal(formatScore(3_725_000, time), '1:02:05.000');
    assert.equal(formatScore(-900, time), '−0:00.900');
    assert.equal(formatScore(-0.4, time), '0:00.000');
    assert.equal(formatScore(900, { ...time, unit: 'ms' }), '900 ms');
  });
});
