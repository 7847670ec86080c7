import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterListening } from './listening-time.ts';

/**
 * Returns the two ends of a connection. What is written to one end reaches the socket of the other at once.
 */
async function twoEnds(context: TestContext): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const one = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [other]: Socket[] = await once(server, 'connection');
  context.after(() => {
    one.destroy();
    other?.destroy();
    server.close();
  });
  return [one, other ?? assert.fail('nobody connected')];
}

function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/**
 * Returns whether a response that arrives while the process stands still is read before the time limit ends.
 */
async function hears(context: TestContext, limit: (onEnd: () => void) => () => void): Promise<boolean> {
  const [one, other] = await twoEnds(context);
  await nextTurn();
  return new Promise((resolve) => {
    const cancel = limit(() => resolve(false));
    one.once('data', () => {
      cancel();
      resolve(true);
    });
    other.write('here');
    standStill(300);
  });
}

describe('a time limit of listening time', () => {
  it('does not count time in which the process was suspended', async (context) => {
    assert.equal(await hears(context, (onEnd) => afterListening(100, onEnd)), true);
  });

  it('is needed, because a plain timer ends before the response is read', async (context) => {
    const plain = (onEnd: () => void) => {
      const timer = setTimeout(onEnd, 100);
      return () => clearTimeout(timer);
    };
    assert.equal(await hears(context, plain), false);
  });

  it('ends when nothing answers', async () => {
    await new Promise<void>((resolve) => afterListening(20, resolve));
  });

  it('does not end after it is cancelled', async () => {
    let ended = false;
    const cancel = afterListening(10, () => {
      ended = true;
    });
    cancel();
    await new Promise<void>((resolve) => afterListening(40, resolve));
    assert.equal(ended, false);
  });
});
