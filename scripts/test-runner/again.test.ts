import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { outcomeOfSecond, triedAgain } from './again.ts';
import type { FileOutcome } from './outcome.ts';
import type { PlannedRun } from './plan.ts';

const run = (file: string): PlannedRun => ({
  file,
  engine: null,
  isLong: false,
  sharesProcess: false,
  needsPostgres: false,
  needsS3: false,
});
const outcome = (...failed: string[]): FileOutcome => ({
  passed: 1,
  failures: failed.map((name) => ({ name, reason: 'because' })),
  skips: [],
  output: '',
  milliseconds: 1,
  processorSeconds: 1,
});

describe('a second try', () => {
  it('is given to failed runs only', () => {
    const [good, bad] = [run('good'), run('bad')];
    const outcomes = new Map([
      [good, outcome()],
      [bad, outcome('a')],
    ]);
    assert.deepEqual(triedAgain(outcomes), [bad]);
  });

  it('is not given when many runs failed', () => {
    const outcomes = new Map(Array.from({ length: 6 }, (_, index) => [run(`${index}`), outcome('a')]));
    assert.deepEqual(triedAgain(outcomes), []);
  });

  it('that passes reports the earlier failures as unsteady', () => {
    const { failures, unsteady } = outcomeOfSecond(outcome('a'), outcome());
    assert.deepEqual([failures, unsteady], [[], [{ name: 'a', reason: 'because' }]]);
  });

  it('that fails reports its own failures', () => {
    assert.deepEqual(outcomeOfSecond(outcome('a'), outcome('b')), outcome('b'));
  });
});
