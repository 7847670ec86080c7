import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sideBySide } from './side-by-side.ts';

describe('work side by side', () => {
  async function* torn(): AsyncGenerator<number> {
    yield* [1, 2, 3];
    throw new Error('the list is torn');
  }

  it('ends all that was begun before it rejects', async () => {
    let underWay = 0;
    let begun = 0;
    const work = async (item: number): Promise<void> => {
      begun++;
      underWay++;
      for (let turns = 0; turns < 5 * item; turns++) await turn();
      underWay--;
      if (item === 4) throw new Error('the work failed');
    };
    await assert.rejects(sideBySide(torn(), 3, work), { message: 'the list is torn' });
    assert.deepEqual({ underWay, begun }, { underWay: 0, begun: 3 });
    await assert.rejects(sideBySide([4, 5, 6, 7], 3, work), { message: 'the work failed' });
    assert.deepEqual({ underWay, begun }, { underWay: 0, begun: 6 });
  });
});
