import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ConnectionError } from '@spaceport/client/api-error';
import type { Outbox, OutboxItem } from './outbox.ts';
import { createSending } from './sending.ts';

const lane = 'space player';
const known = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
let onLine = true;
before(() => {
  Object.defineProperty(globalThis, 'navigator', {
    value: {
      get onLine() {
        return onLine;
      },
    },
    configurable: true,
  });
});
after(() => {
  if (known) Object.defineProperty(globalThis, 'navigator', known);
});

/** Returns the sending of an outbox in memory in which one stat waits. `send` sends it. */
function sendingOf(send: (item: OutboxItem) => Promise<void>) {
  const items: OutboxItem[] = [
    { id: 1, lane, key: 'key', at: 0, what: { is: 'stat', stat: 'jumps', by: 4 } },
  ];
  const outbox: Pick<Outbox, 'list' | 'remove'> = {
    list: async () => [...items],
    async remove(id) {
      items.splice(
        items.findIndex((each) => each.id === id),
        1,
      );
    },
  };
  const stopping = new AbortController();
  const { signal } = stopping;
  const play = { lane: () => lane, requirePlayerOf() {} };
  const sending = createSending({ outbox: outbox as unknown as Outbox, play, send, signal });
  return { sending, stop: () => stopping.abort() };
}

test('a write comes after those that are being sent', async () => {
  onLine = true;
  const sent = Promise.withResolvers<void>();
  const { sending } = sendingOf(() => sent.promise);
  const all = sending.sendWaiting();
  const isWaiting = sending.isWaiting();
  setImmediate(sent.resolve);
  assert.equal(await isWaiting, false);
  await all;
});

test('a write that nobody has begun to send is sent before the next one', async () => {
  onLine = true;
  const tried: number[] = [];
  const { sending } = sendingOf(async ({ id }) => {
    tried.push(id);
  });
  assert.equal(await sending.isWaiting(), false);
  assert.deepEqual(tried, [1]);
});

test('a service that cannot be reached is not tried again by each write', async () => {
  onLine = true;
  let tries = 0;
  const { sending, stop } = sendingOf(async () => {
    tries++;
    throw new ConnectionError('http://x', new Error('refused'));
  });
  assert.equal(await sending.isWaiting(), true);
  assert.equal(await sending.isWaiting(), true);
  assert.equal(tries, 1);
  stop();
});

test('what waits is sent although the browser says that it is offline', async () => {
  onLine = false;
  const tried: number[] = [];
  const { sending } = sendingOf(async ({ id }) => {
    tried.push(id);
  });
  assert.equal(await sending.isWaiting(), false);
  assert.deepEqual(tried, [1]);
});
