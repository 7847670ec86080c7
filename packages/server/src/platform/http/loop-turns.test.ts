import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { LoopTurns } from './loop-turns.ts';

/** What is done in each turn of the loop, until nothing is left. */
async function turnsOf(
  jobs: readonly { network: string; cost: number; name: string }[],
  costPerTurn: number,
) {
  const turns = new LoopTurns(costPerTurn);
  const done: string[][] = [[]];
  for (const { network, cost, name } of jobs) turns.take(network, cost, () => done.at(-1)?.push(name));
  for (let idle = 0; idle < 2; ) {
    done.push([]);
    await nextTurn();
    idle = done.at(-1)?.length === 0 ? idle + 1 : 0;
  }
  return done.filter((names) => names.length > 0);
}

describe('turns of the event loop', () => {
  test('take what they have room for at once, and the rest one turn after the other', async () => {
    const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ network: 'one', cost: 2, name }));
    assert.deepEqual(await turnsOf(jobs, 4), [['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('take what costs more than a turn has, alone', async () => {
    const jobs = ['a', 'b'].map((name) => ({ network: 'one', cost: 100, name }));
    assert.deepEqual(await turnsOf(jobs, 4), [['a'], ['b']]);
  });

  test('go round the networks: who asks for much waits longer, nobody else does', async () => {
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

  test('begin anew with what is asked for while they run, behind what waits', async () => {
    const turns = new LoopTurns(1);
    const done: string[] = [];
    turns.take('one', 1, () => {
      done.push('first');
      turns.take('one', 1, () => done.push('third'));
    });
    turns.take('one', 1, () => done.push('second'));
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    assert.deepEqual(done.toSorted(), ['first', 'second', 'third']);
  });

  test('lose nothing, do nothing twice, keep the order of each network and their bound', async () => {
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
