import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock } from '../../../test/clock.ts';
import { alone } from '../processes/together.ts';
import { holdShared } from './shared-holds.ts';

describe('what is held of something that all share', () => {
  it('is released once, however often that is asked, and frees nothing that others hold', async () => {
    const together = alone(new TestClock(), { runsJobs: false });
    const hold = (amount: number) => holdShared(together, 'l', [{ name: 'n', most: 10 }], amount);
    const first = (await hold(4)) ?? assert.fail('there is room');
    const second = (await hold(6)) ?? assert.fail('there is room for both');
    assert.equal(await hold(1), null);
    first();
    first();
    assert.equal(await hold(5), null);
    assert.ok(await hold(4));
    second();
    assert.equal(await hold(7), null);
    assert.ok(await hold(6));
  });
});
