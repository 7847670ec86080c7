import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Pace, paceOfMachine, runAtPace } from './pace.ts';

/**
 * Runs tasks that end when the test says so. `begun` counts the begun tasks, `most` is the highest number
 * that ran at once.
 */
async function play(count: number, pace: Partial<Pace>) {
  const tasks = Array.from({ length: count }, () => Promise.withResolvers<void>());
  let begun = 0;
  let running = 0;
  let most = 0;
  const through = runAtPace(
    () => {
      const task = tasks[begun];
      if (task === undefined) return null;
      begun++;
      return async () => {
        most = Math.max(most, ++running);
        await task.promise;
        running--;
      };
    },
    { least: 2, most: 4, lookMs: 1, hasRoom: () => false, ...pace },
  );
  return {
    tasks,
    through,
    get begun() {
      return begun;
    },
    get most() {
      return most;
    },
  };
}

/** Returns a `hasRoom` that is true this many times, and a promise that resolves at the next question. */
function room(times: number) {
  const asked = Promise.withResolvers<void>();
  let left = times;
  return {
    asked: asked.promise,
    hasRoom: () => {
      if (left-- === 0) asked.resolve();
      return left >= 0;
    },
  };
}

describe('the number of test processes', () => {
  it('is the least while no core is idle, and each that ends is replaced', async () => {
    const { asked, hasRoom } = room(0);
    const played = await play(5, { hasRoom });
    await asked;
    assert.equal(played.begun, 2);
    for (const task of played.tasks) task.resolve();
    await played.through;
    assert.deepEqual([played.begun, played.most], [5, 2]);
  });

  it('is greater while a core is idle', async () => {
    const { asked, hasRoom } = room(1);
    const played = await play(9, { hasRoom });
    await asked;
    assert.equal(played.begun, 3);
    for (const task of played.tasks) task.resolve();
    await played.through;
    assert.equal(played.begun, 9);
  });

  it('is never greater than the limit', async () => {
    const played = await play(9, { hasRoom: () => true });
    while (played.begun < 4) await new Promise((resolve) => setTimeout(resolve, 1));
    const [first] = played.tasks;
    first?.resolve();
    while (played.begun < 5) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.equal(played.most, 4);
    for (const task of played.tasks) task.resolve();
    await played.through;
    assert.deepEqual([played.begun, played.most], [9, 4]);
  });

  it('is chosen from the load of the machine', () => {
    const { least, most, hasRoom } = paceOfMachine();
    assert.ok(least < most);
    assert.equal(typeof hasRoom(), 'boolean');
  });
});
