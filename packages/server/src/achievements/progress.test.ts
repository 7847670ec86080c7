import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { givenId } from '../platform/db/ids.ts';
import {
  addProgress,
  noProgress,
  type ProgressName,
  type StatRules,
  valueAfter,
  writeStat,
} from './progress.ts';

const name: ProgressName = {
  spaceId: givenId('spc', 's'),
  env: 'live',
  key: 'jumps',
  playerId: givenId('usr', 'p'),
};

describe('the value of a stat after a write', () => {
  it('is what was posted, the sum, or the larger', () => {
    const cases = [
      ['set', undefined, 5, 5],
      ['set', 7, 5, 5],
      ['add', undefined, 5, 5],
      ['add', 7, -5, 2],
      ['max', undefined, -5, -5],
      ['max', 7, 5, 7],
      ['max', 5, 7, 7],
    ] as const;
    for (const [op, current, posted, after] of cases) assert.equal(valueAfter(op, current, posted), after);
  });

  it('never leaves ±2^53', () => {
    assert.equal(valueAfter('add', 2 ** 53, 0), 2 ** 53);
    assert.equal(valueAfter('add', 2 ** 53, 2), null);
    assert.equal(valueAfter('add', -(2 ** 53), -2), null);
    assert.equal(valueAfter('add', 2 ** 53, -1), 2 ** 53 - 1);
  });

  it('is never -0', () => {
    assert.ok(Object.is(valueAfter('set', 1, -0), 0));
    assert.ok(Object.is(valueAfter('max', -0, -0), 0));
    assert.ok(Object.is(valueAfter('add', undefined, -0), 0));
  });
});

describe('a write of a stat', () => {
  const rules: StatRules = {
    op: 'add',
    triggers: [
      { key: 'one', atLeast: 1 },
      { key: 'ten', atLeast: 10 },
    ],
  };

  it('unlocks each achievement once, and counts earlier writes of the same call', () => {
    const [there, written] = [noProgress(), noProgress()];
    const write = (posted: number) => writeStat(rules, name, posted, { there, written, now: 1 });
    assert.deepEqual(write(0.5), { value: 0.5, unlocked: [] });
    assert.deepEqual(write(0.5), { value: 1, unlocked: ['one'] });
    assert.deepEqual(write(9), { value: 10, unlocked: ['ten'] });
    assert.deepEqual(write(9), { value: 19, unlocked: [] });
    assert.deepEqual(there, noProgress(), 'what is there is another matter');
  });

  it('writes nothing when it is refused', () => {
    const [there, written] = [noProgress(), noProgress()];
    const write = (posted: number) => writeStat(rules, name, posted, { there, written, now: 1 });
    write(2 ** 53);
    const before = structuredClone(written);
    assert.equal(write(2 ** 53), null);
    assert.deepEqual(written, before);
  });

  it('has the same result in one call or in many', () => {
    const posts = fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 30 });
    fc.assert(
      fc.property(posts, fc.constantFrom('set', 'add', 'max'), fc.nat(30), (values, op, cut) => {
        const run = (calls: number[][]) => {
          const there = noProgress();
          const results = calls.flatMap((call) => {
            const written = noProgress();
            const answers = call.map((value) =>
              writeStat({ ...rules, op }, name, value, { there, written, now: 1 }),
            );
            addProgress(there, written);
            return answers;
          });
          return { results, there };
        };
        const whole = run([values]);
        assert.deepEqual(run([values.slice(0, cut), values.slice(cut)]), whole);
        const unlocked = whole.results.flatMap((result) => result?.unlocked ?? []);
        assert.equal(new Set(unlocked).size, unlocked.length);
        assert.equal(whole.there.unlocks.size, unlocked.length);
      }),
    );
  });
});
