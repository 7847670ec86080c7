import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TestClock } from '../../../test/clock.ts';
import { Counts } from '../processes/counts.ts';
import { createBodyBudget, type GiveBack, largestBodyIn, leastBudgetFor, ownBudget } from './body-budget.ts';

describe('the memory for bodies', () => {
  it('is never exceeded, one network gets a quarter of it, and all of it comes back', () => {
    const take = fc.record({ bytes: fc.integer({ min: 1, max: 60 }), network: fc.constantFrom(...'abcdef') });
    fc.assert(
      fc.property(fc.array(fc.oneof(take, fc.nat(20)), { maxLength: 60 }), (steps) => {
        const budget = ownBudget(100);
        const taken: { bytes: number; network: string; give: () => void }[] = [];
        for (const step of steps) {
          if (typeof step === 'number') {
            const [one] = taken.splice(step % Math.max(1, taken.length), 1);
            one?.give();
            one?.give();
            continue;
          }
          const give = budget.take(step.bytes, step.network);
          if (give) taken.push({ ...step, give });
          const sum = (network?: string) =>
            taken
              .filter((one) => network === undefined || one.network === network)
              .reduce((bytes, one) => bytes + one.bytes, 0);
          assert.equal(budget.heldBytes, sum());
          assert.ok(sum() <= 100 && sum(step.network) <= 25);
        }
        for (const { give } of taken) give();
        assert.equal(budget.heldBytes, 0);
        assert.ok(budget.take(25, 'a'));
      }),
    );
  });

  it('is shared by several processes, and neither they nor one network exceed their part', () => {
    const whole = 1024 * 1024;
    const take = fc.record({
      process: fc.constantFrom(0, 1),
      bytes: fc.oneof(fc.integer({ min: 1, max: 16 * 1024 }), fc.integer({ min: 1, max: whole / 4 })),
      network: fc.constantFrom(...'abcdef'),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(take, fc.nat(20)), { maxLength: 80 }), (steps) => {
        const counts = new Counts(new TestClock());
        const budgets = ['0', '1'].map((holder) =>
          createBodyBudget(whole, {
            processes: 2,
            count: (call) => counts.answer([call], holder)[0] ?? 0,
          }),
        );
        const taken: { bytes: number; network: string; give: GiveBack }[] = [];
        for (const step of steps) {
          if (typeof step === 'number') {
            const [one] = taken.splice(step % Math.max(1, taken.length), 1);
            one?.give();
            one?.give();
            continue;
          }
          const give = budgets[step.process]?.take(step.bytes, step.network);
          if (give && !(give instanceof Promise)) taken.push({ ...step, give });
          const sum = (network?: string) =>
            taken
              .filter((one) => network === undefined || one.network === network)
              .reduce((bytes, one) => bytes + one.bytes, 0);
          assert.ok(sum() <= whole && sum(step.network) <= whole / 4);
        }
        for (const { give } of taken) give();
        // Everything was given back: each budget has room for the longest body.
        for (const budget of budgets) {
          const give = budget.take(largestBodyIn(whole, true), 'a');
          assert.ok(typeof give === 'function');
          give();
        }
      }),
    );
  });

  it('suffices for the longest body', () => {
    for (const several of [false, true])
      for (const bytes of [1, 1000, 4 * 1024 * 1024])
        assert.ok(largestBodyIn(leastBudgetFor(bytes, several), several) >= bytes);
  });
});
