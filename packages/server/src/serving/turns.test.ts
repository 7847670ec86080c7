import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NoTurn, Turns } from './turns.ts';

/** Work that ends when the test says, with a list of what began, in order. */
function workplace(atOnce: number, maxWaiting: number) {
  const turns = new Turns(atOnce, maxWaiting);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    began,
    ask(name: string, site: string, network: string) {
      return turns.run({ site, network }, () => {
        began.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    },
    async end(name: string) {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('turns of a limited resource', () => {
  test('go to a site and a network without a turn before others get a second one', async () => {
    const at = workplace(2, 100);
    const all = [at.ask('a1', 'a', 'x'), at.ask('a2', 'a', 'x')];
    for (let count = 3; count < 9; count++) all.push(at.ask(`a${count}`, 'a', 'x'));
    all.push(at.ask('b-by-x', 'b', 'x'), at.ask('c-by-y', 'c', 'y'));
    assert.deepEqual(at.began, ['a1', 'a2']);
    await at.end('a1');
    assert.equal(at.began.at(-1), 'c-by-y');
    await at.end('c-by-y');
    assert.equal(at.began.at(-1), 'b-by-x');
    await at.end('b-by-x');
    assert.equal(at.began.at(-1), 'a3');
    for (let count = 2; count < 9; count++) await at.end(`a${count}`);
    await Promise.all(all);
  });

  test('are refused to the network with most requests when the queue is full', async () => {
    const at = workplace(1, 3);
    const first = at.ask('first', 'a', 'x');
    const waiting = ['1', '2', '3'].map((name) => at.ask(name, name, 'x'));
    const refused = assert.rejects(waiting[2] ?? first, NoTurn);
    const other = at.ask('other', 'v', 'y');
    await refused;
    for (const name of ['first', '1', '2', 'other']) await at.end(name);
    await Promise.all([first, waiting[0], waiting[1], other]);
    assert.deepEqual(at.began, ['first', '1', '2', 'other']);
  });

  test('continue after work that fails', async () => {
    const turns = new Turns(1, 10);
    const by = { site: 'a', network: 'x' };
    const failing = turns.run(by, async () => Promise.reject(new Error('broken')));
    const next = turns.run({ ...by }, async () => 'done');
    await assert.rejects(failing, /broken/u);
    assert.equal(await next, 'done');
  });
});
