import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TestClock } from '../../../test/clock.ts';
import { type CountCall, Counts } from './counts.ts';

const holders = ['1', '2', '3'];
const most = { a: 10, b: 25 } as const;

describe('counts that processes share', () => {
  it('give each token out once, whichever process asks', () => {
    const clock = new TestClock();
    const counts = new Counts(clock);
    const take = (holder: string) =>
      counts.answer([{ do: 'take', of: [{ limit: 'l', perMinute: 6, name: 'n', count: 1 }] }], holder)[0];
    const answers = Array.from({ length: 9 }, (_, index) => take(String(index % 3)));
    assert.deepEqual(answers, [0, 0, 0, 0, 0, 0, 10, 10, 10]);
    clock.advance({ seconds: 10 });
    assert.deepEqual([take('2'), take('1')], [0, 10]);
  });

  it('take tokens from several buckets in order, until one is empty', () => {
    const counts = new Counts(new TestClock());
    const take = (...names: string[]) =>
      counts.answer(
        [{ do: 'take', of: names.map((name) => ({ limit: 'l', perMinute: 2, name, count: 1 })) }],
        '1',
      )[0];
    assert.deepEqual(
      [take('a', 'b'), take('a', 'c'), take('a', 'b'), take('b', 'a'), take('b')],
      [0, 0, 30, 30, 30],
    );
    assert.deepEqual([take('c'), take('c')], [0, 30]);
  });

  it('count up to a maximum, and can be decreased', () => {
    const counts = new Counts(new TestClock());
    const call = (calls: readonly CountCall[]) => counts.answer(calls, '1');
    const count = (count: number, most: number): Extract<CountCall, { do: 'count' }> => ({
      do: 'count',
      limit: 'l',
      name: 'n',
      count,
      most,
    });
    assert.deepEqual(call([count(1, 1), count(1, 1), count(5, 4), count(9, 2)]), [1, 0, 3, 0]);
    assert.deepEqual(
      call([
        { do: 'discount', limit: 'l', name: 'n', count: 2 },
        count(9, 4),
        { ...count(1, 1), limit: 'other' },
      ]),
      [0, 2, 1],
    );
  });

  it('never exceed the amount that exists, and free everything that a dead process held', () => {
    const step = fc.record({
      holder: fc.constantFrom(...holders),
      do: fc.constantFrom('hold' as const, 'release' as const, 'die' as const),
      amount: fc.integer({ min: 1, max: 8 }),
      both: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const counts = new Counts(new TestClock());
        /** What each holder holds, according to the calls. */
        const held = new Map<string, { a: number; b: number }>(holders.map((name) => [name, { a: 0, b: 0 }]));
        for (const { holder, do: what, amount, both } of steps) {
          const own = held.get(holder) ?? { a: 0, b: 0 };
          if (what === 'die') {
            counts.releaseAll(holder);
            held.set(holder, { a: 0, b: 0 });
            continue;
          }
          const names = both ? (['a', 'b'] as const) : (['a'] as const);
          const of = names.map((name) => ({ name, most: most[name] }));
          const sum = (name: 'a' | 'b') => [...held.values()].reduce((all, each) => all + each[name], 0);
          const fits = names.every((name) => sum(name) + amount <= most[name]);
          const [answer] = counts.answer([{ do: what, limit: 'l', of, amount }], holder);
          if (what === 'hold') {
            assert.equal(answer, fits ? 1 : 0);
            if (fits) for (const name of names) own[name] += amount;
          } else for (const name of names) own[name] = Math.max(0, own[name] - amount);
        }
        for (const holder of holders) counts.releaseAll(holder);
        const all = { do: 'hold', limit: 'l', of: [{ name: 'a', most: 10 }], amount: 10 } as const;
        assert.deepEqual(counts.answer([all], 'another'), [1]);
      }),
    );
  });
});
