import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createBodyBudget } from './body-budget.ts';

describe('the memory for bodies', () => {
  it('is never passed, by one network a quarter of it, and all of it comes back', () => {
    const take = fc.record({ bytes: fc.integer({ min: 1, max: 60 }), network: fc.constantFrom(...'abcdef') });
    fc.assert(
      fc.property(fc.array(fc.oneof(take, fc.nat(20)), { maxLength: 60 }), (steps) => {
        const budget = createBodyBudget(100);
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
});
