import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextAttemptAt, pauseMs, triedForMs } from './retrying.ts';

/** Returns when an event that is never accepted is tried, in milliseconds since it happened. */
function attemptsOf(chance: () => number): number[] {
  const at = [0];
  for (let now = 0; ; at.push(now)) {
    const next = nextAttemptAt({ attempts: at.length, since: 0 }, now, chance());
    if (next === null) return at;
    now = next;
  }
}

test('an event is sent at once, retried with growing delays, and last at the end of its day', () => {
  const seconds = attemptsOf(() => 0.5).map((at) => at / 1_000);
  assert.deepEqual(seconds, [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 86_400]);
});

test('an event has eight or nine attempts in a day, in order, whatever the random delays', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (chances) => {
      const at = attemptsOf(() => chances.next().value);
      assert.ok(at.length === 8 || at.length === 9, at.join());
      assert.equal(at.at(-1), triedForMs);
      for (const [index, one] of at.slice(1).entries()) assert.ok(one > (at[index] ?? 0), at.join());
    }),
  );
});

test('a receiver that fails gets a pause of seconds at first, and of five minutes at most', () => {
  const seconds = [0, 1, 2, 5, 8, 9, 10_000].map((failures) => pauseMs({ failures, ms: 5 }) / 1_000);
  assert.deepEqual(seconds, [0, 2, 4, 32, 256, 300, 300]);
});

test('a slow receiver gets a pause as long as its answer took', () => {
  const afterAnswer = [10, 2_000, 2_001, 4_900].map((ms) => pauseMs({ failures: 0, ms }));
  assert.deepEqual(afterAnswer, [0, 0, 2_001, 4_900]);
  assert.equal(pauseMs({ failures: 1, ms: 4_900 }), 4_900);
});
