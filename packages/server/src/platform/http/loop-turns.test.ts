import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { LoopTurns, type LoopTurnsOptions } from './loop-turns.ts';

const one = () => 'one';

/** Turns with a clock of their own, which only work moves. */
function clocked(options: Omit<LoopTurnsOptions, 'now'>) {
  let ms = 0;
  const turns = new LoopTurns({ ...options, now: () => ms });
  return {
    turns,
    spend(cost: number) {
      ms += cost;
    },
  };
}

/** Returns what is done in each turn of the loop, until nothing is left. */
async function turnsOf(jobs: readonly { network: string; cost: number; name: string }[], turnMs: number) {
  const { turns, spend } = clocked({ turnMs });
  const done: string[][] = [[]];
  for (const { network, cost, name } of jobs)
    turns.take(
      () => network,
      () => {
        spend(cost);
        done.at(-1)?.push(name);
      },
    );
  for (let idle = 0; idle < 2; ) {
    done.push([]);
    await nextTurn();
    idle = done.at(-1)?.length === 0 ? idle + 1 : 0;
  }
  return done.filter((names) => names.length > 0);
}

describe('turns of the event loop', () => {
  test('run as much work as fits at once, and the rest in later turns', async () => {
    const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ network: 'one', cost: 2, name }));
    assert.deepEqual(await turnsOf(jobs, 4), [['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('run work that costs more than a turn alone', async () => {
    const jobs = ['a', 'b'].map((name) => ({ network: 'one', cost: 100, name }));
    assert.deepEqual(await turnsOf(jobs, 4), [['a'], ['b']]);
  });

  test('alternate between networks, so that only the network with much work waits longer', async () => {
    const many = Array.from({ length: 4 }, (_, at) => ({ network: 'many', cost: 1, name: `many ${at}` }));
    const few = [{ network: 'few', cost: 1, name: 'few' }];
    assert.deepEqual(await turnsOf([...many, ...few], 1), [
      ['many 0'],
      ['many 1'],
      ['few'],
      ['many 2'],
      ['many 3'],
    ]);
  });

  test('run work that is added meanwhile after the work that waits', async () => {
    const { turns, spend } = clocked({ turnMs: 1 });
    const done: string[] = [];
    const work = (name: string, then = () => {}) =>
      turns.take(one, () => {
        spend(1);
        done.push(name);
        then();
      });
    work('first', () => work('third'));
    work('second');
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.deepEqual(done.toSorted(), ['first', 'second', 'third']);
  });

  test('count time that work spends after awaiting, and in the work that it starts', async () => {
    const { turns, spend } = clocked({ turnMs: 1 });
    const done: string[] = [];
    turns.take(one, () => spend(1));
    turns.take(one, async () => {
      for (let step = 0; step < 5; step++) await null;
      spend(1);
      done.push('awaits');
    });
    turns.take(one, () => done.push('reads'), 1);
    turns.take(one, () => done.push('is last'));
    const counts: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn();
      counts.push(done.length);
    }
    assert.deepEqual(counts, [1, 2, 3, 3]);
  });

  test('give way to new connections for a limited number of turns', async () => {
    const { turns } = clocked({ turnMs: 1, ways: 3 });
    const done: number[] = [];
    turns.connected();
    for (let job = 0; job < 3; job++) turns.take(one, () => done.push(job));
    const counts: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      turns.connected();
      await nextTurn();
      counts.push(done.length);
    }
    assert.deepEqual(counts, [0, 0, 0, 3, 3]);
  });

  test('run the work of a lone connection in the turn in which it is added', async () => {
    const { turns } = clocked({ turnMs: 1 });
    turns.connected();
    await nextTurn();
    const done: string[] = [];
    turns.take(one, () => done.push('asked'));
    await nextTurn();
    assert.deepEqual(done, ['asked']);
  });

  test('lose and repeat nothing, and keep the order of each network and their limit', async () => {
    const job = fc.record({
      network: fc.constantFrom('one', 'two', 'three'),
      cost: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(job, { maxLength: 40 }),
        fc.integer({ min: 1, max: 10 }),
        async (all, costPerTurn) => {
          const jobs = all.map((each, at) => ({ ...each, name: String(at) }));
          const done = await turnsOf(jobs, costPerTurn);
          assert.deepEqual(done.flat().toSorted(), jobs.map(({ name }) => name).toSorted());
          for (const names of Object.values(Object.groupBy(jobs, ({ network }) => network))) {
            const own = names.map(({ name }) => name);
            assert.deepEqual(
              done.flat().filter((name) => own.includes(name)),
              own,
            );
          }
          for (const names of done) {
            const costs = names.map((name) => jobs[Number(name)]?.cost ?? 0);
            const beforeLast = costs.slice(0, -1).reduce((sum, cost) => sum + cost, 0);
            assert.ok(beforeLast < costPerTurn);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});
