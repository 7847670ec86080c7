import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scoreProblem } from './played-rules.ts';

describe('the rules of a board', () => {
  const board = {
    key: 'high',
    trust: 'client',
    min: 10,
    max: 20,
    min_seconds: 30,
    max_per_second: 0.5,
  } as const;
  /** Returns the code and the message of the refusal, or null. */
  function refusal(score: number, played?: { seconds: number; isRun: boolean }): string[] | null {
    const problem = scoreProblem(board, { score, path: '', ...(played && { played }) });
    return problem && [problem.code, problem.message];
  }
  const run = (seconds: number) => ({ seconds, isRun: true });

  it('allow each bound itself, and nothing beyond it', () => {
    assert.equal(refusal(10), null);
    assert.equal(refusal(20), null);
    assert.match(refusal(9.999)?.[1] ?? '', /under the board's min, 10/u);
    assert.match(refusal(20.001)?.[1] ?? '', /over the board's max, 20/u);
    assert.equal(refusal(15, run(30)), null);
    assert.equal(refusal(15, run(29.999))?.[0], 'too_soon');
    assert.match(refusal(15.001, run(30))?.[1] ?? '', /over the board's max_per_second, 0\.5/u);
  });

  it('do not ask a space’s own server for runs', () => {
    assert.equal(refusal(20), null);
    assert.equal(refusal(20, { seconds: 60, isRun: false })?.[0], 'run_required');
  });

  it('take no time as passed when the clock went back', () => {
    const fast = { ...board, min: null, max: null, min_seconds: null };
    const after = (seconds: number) => scoreProblem(fast, { score: 1, path: '', played: run(seconds) });
    assert.equal(after(2), null);
    assert.equal(after(-2)?.code, 'invalid');
  });
});
