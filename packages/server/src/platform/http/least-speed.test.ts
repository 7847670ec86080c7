import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, it, mock } from 'node:test';
import { atLeastSpeed } from './least-speed.ts';

const speed = { bytesPerSecond: 100, windowMs: 15_000 };

describe('a streamed body', () => {
  let body: PassThrough;
  let cuts: number;
  beforeEach((context) => {
    mock.timers.enable({ apis: ['setInterval'] });
    (context as { after(run: () => void): void }).after(() => mock.timers.reset());
    body = new PassThrough();
    cuts = 0;
  });

  function start() {
    const read = atLeastSpeed(body, () => cuts++, speed)[Symbol.asyncIterator]();
    return { read, end: () => read.return(undefined) };
  }
  /** Lets seconds pass. In each of them so many bytes arrive and are read. */
  async function pass(read: AsyncIterator<Uint8Array>, seconds: number, bytes: number) {
    for (let second = 0; second < seconds; second++) {
      if (bytes > 0) {
        const next = read.next();
        body.write(Buffer.alloc(bytes));
        await next;
      }
      // The next read waits for more bytes.
      pending = read.next();
      mock.timers.tick(1_000);
      if (bytes > 0) {
        body.write(Buffer.alloc(1));
        await pending;
      }
    }
  }
  let pending: Promise<unknown>;

  it('goes on at the minimum speed, and is cut one window after it is slower', async () => {
    const { read, end } = start();
    await pass(read, 40, 100);
    assert.equal(cuts, 0);
    await pass(read, 14, 1);
    assert.ok(cuts > 0, 'what came before its window buys nothing');
    body.end();
    await end();
  });

  it('is cut when nothing arrives', async () => {
    const { read } = start();
    const first = read.next();
    mock.timers.tick(14_000);
    assert.equal(cuts, 0);
    mock.timers.tick(1_000);
    assert.equal(cuts, 1);
    body.destroy();
    await first.catch(() => {});
  });

  it('is not cut while its reader pauses it', async () => {
    const { read, end } = start();
    body.write('x');
    await read.next();
    mock.timers.tick(600_000);
    assert.equal(cuts, 0);
    await end();
  });
});
