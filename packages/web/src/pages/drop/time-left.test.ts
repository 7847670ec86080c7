import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLeft } from './time-left.ts';

test('a time that is left never has sixty of a unit', () => {
  for (const [seconds, words] of [
    [0.2, '1 s'],
    [59, '59 s'],
    [59.4, '1 min 0 s'],
    [119.7, '2 min 0 s'],
    [125.1, '2 min 6 s'],
    [3_599.5, '1 h 0 min'],
    [4_800, '1 h 20 min'],
  ] as const)
    assert.equal(timeLeft(seconds), words);
});
