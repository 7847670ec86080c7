import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatScore } from './score.ts';

const plain = { metric: 'score', decimals: 0, unit: null } as const;

test('a time reads as a clock does', () => {
  const time = { ...plain, metric: 'time' } as const;
  assert.equal(formatScore(time, 62_345), '1:02.345');
  assert.equal(formatScore(time, 3_600_000), '1:00:00.000');
  assert.equal(formatScore({ ...time, unit: 'ms' }, 900), '900 ms');
});

test('a number has its decimals and its unit', () => {
  assert.equal(formatScore(plain, 12_345), '12,345');
  assert.equal(formatScore({ ...plain, decimals: 2 }, 3), '3.00');
  assert.equal(formatScore({ ...plain, unit: 'm' }, 12), '12 m');
  assert.equal(formatScore({ ...plain, metric: 'percent' }, 80), '80 %');
});
