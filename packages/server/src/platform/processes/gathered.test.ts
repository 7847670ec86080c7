import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CountCall } from './counts.ts';
import { gathered } from './worker-side.ts';

const take = (name: string): CountCall => ({
  do: 'take',
  of: [{ limit: 'l', perMinute: 1, name, count: 1 }],
});

it('requests of one turn are sent at once, and those that soon follow together', async (test) => {
  test.mock.timers.enable({ apis: ['setImmediate', 'setTimeout'] });
  const asked: number[] = [];
  let now = 0;
  const count = gathered(
    async (calls) => {
      asked.push(calls.length);
      return calls.map((_, index) => 10 * asked.length + index);
    },
    () => now,
  );
  const answers = [count(take('a')), count(take('b'))];
  test.mock.timers.tick(0);
  assert.deepEqual(asked, [2]);
  answers.push(count(take('a')));
  test.mock.timers.tick(0);
  now = 0.5;
  answers.push(count(take('b')));
  assert.deepEqual(asked, [2]);
  test.mock.timers.tick(1);
  assert.deepEqual(asked, [2, 2]);
  now = 5;
  answers.push(count(take('a')));
  test.mock.timers.tick(0);
  assert.deepEqual(asked, [2, 2, 1]);
  assert.deepEqual(await Promise.all(answers), [10, 11, 20, 21, 30]);
});
