import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { madeOnce } from './made-once.ts';

describe('making something once', () => {
  it('gives the same to all who ask, also at the same time', async () => {
    let count = 0;
    const give = madeOnce(async () => ++count);
    assert.deepEqual(await Promise.all([give(), give()]), [1, 1]);
    assert.equal(await give(), 1);
  });

  it('tries again after a failure', async () => {
    let count = 0;
    const give = madeOnce(async () => {
      count++;
      if (count === 1) throw new Error('not now');
      return count;
    });
    const [first, beside] = await Promise.allSettled([give(), give()]);
    assert.deepEqual([first.status, beside.status], ['rejected', 'rejected']);
    assert.equal(await give(), 2);
    assert.equal(await give(), 2);
  });
});
