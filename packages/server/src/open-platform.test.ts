import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Closer, closeAll } from './open-platform.ts';

it('closes everything, the last one first, although some fail', async () => {
  const closed: string[] = [];
  const closers: Closer[] = [
    () => closed.push('database'),
    async () => Promise.reject(new Error('the store is away')),
    () => closed.push('jobs'),
    () => {
      throw new Error('nobody listens');
    },
  ];
  await assert.rejects(closeAll(closers), /nobody listens/u);
  assert.deepEqual(closed, ['jobs', 'database']);
  await closeAll(closers);
});
