import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { type RunningCall, withProgress } from './progress.ts';

type Told = Parameters<RunningCall['notify']>[0]['params'];

describe('withProgress', () => {
  const callWith = (progressToken?: string | number) => {
    const told: Told[] = [];
    const notify: RunningCall['notify'] = async ({ params }) => void told.push(params);
    return { told, call: { notify, ...(progressToken !== undefined && { _meta: { progressToken } }) } };
  };

  it('tells what is done at once, then that it goes on, and nothing after the end', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const { told, call } = callWith(0);
      const work = Promise.withResolvers<number>();
      let say = (_message: string) => {};
      const done = withProgress(
        call,
        (saying) => {
          say = saying;
          return work.promise;
        },
        1_000,
      );
      mock.timers.tick(1_000);
      say('Uploading');
      mock.timers.tick(1_000);
      work.resolve(7);
      assert.equal(await done, 7);
      mock.timers.tick(5_000);
      assert.deepEqual(told, [
        { progressToken: 0, progress: 1 },
        { progressToken: 0, progress: 2, message: 'Uploading' },
        { progressToken: 0, progress: 3, message: 'Uploading' },
      ]);
    } finally {
      mock.timers.reset();
    }
  });

  it('tells nothing to a client that gave no token', async () => {
    const { told, call } = callWith();
    await withProgress(call, async (say) => say('Uploading'));
    assert.deepEqual(told, []);
  });

  it('goes on when the client has left', async () => {
    const call = { _meta: { progressToken: 'a' }, notify: () => Promise.reject(new Error('Not connected')) };
    const result = withProgress(call, async (say) => {
      say('Uploading');
      return 1;
    });
    assert.equal(await result, 1);
  });
});
