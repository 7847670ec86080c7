import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RoomLease } from './room-lease.ts';

describe('the lease of a process with rooms', () => {
  it('ends while a write of it hangs, and is held again once the write is done', async () => {
    const ended = Promise.withResolvers<void>();
    let written = Promise.resolve();
    const lease = new RoomLease(() => written, ended.resolve);
    assert.equal(lease.isHeld, false);
    await lease.claim();
    assert.equal(lease.isHeld, true);
    const hanging = Promise.withResolvers<void>();
    written = hanging.promise;
    const extended = lease.extend();
    await ended.promise;
    assert.equal(lease.isHeld, false);
    written = Promise.resolve();
    const again = lease.claim();
    hanging.resolve();
    await Promise.all([extended, again]);
    assert.equal(lease.isHeld, true);
    await lease.end();
  });

  it('is written in the order of the calls, and not at all if it was never begun', async () => {
    const writes: number[] = [];
    const lease = new RoomLease(
      async (forMs) => void writes.push(forMs),
      () => assert.fail('the lease was extended or ended'),
    );
    await lease.end();
    assert.deepEqual(writes, []);
    await Promise.all([lease.extend(), lease.end()]);
    assert.deepEqual(writes, [3_000, 0]);
  });
});
