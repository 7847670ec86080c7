import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { FactsReader } from './facts-reader.ts';
import { giveBack, takeThread } from './facts-thread.ts';

const page = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text));

test('the next reader reuses the thread of the last one', async () => {
  const first = takeThread();
  giveBack(first);
  const reader = new FactsReader();
  assert.equal((await reader.read({ servedAs: 'html', bytes: page('<base href="x">') }))?.base, 'x');
  const meanwhile = takeThread();
  assert.notEqual(meanwhile, first);
  await meanwhile.terminate();
  await reader.close();
  const next = takeThread();
  assert.equal(next, first);
  await next.terminate();
});

test('a thread that is closed while it works is not reused', async () => {
  const first = takeThread();
  giveBack(first);
  const reader = new FactsReader();
  const ended = once(first, 'exit');
  const reading = reader.read({ servedAs: 'html', bytes: page('<p>'.repeat(100_000)) });
  // The question is sent in the next turn of the event loop.
  await new Promise(setImmediate);
  await reader.close();
  assert.equal(await reading, null);
  await ended;
  const next = takeThread();
  assert.notEqual(next, first);
  await next.terminate();
});

test('an unused thread ends after a while, and an ended thread is not reused', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const unused = takeThread();
  const ended = once(unused, 'exit');
  giveBack(unused);
  context.mock.timers.tick(10_000);
  unused.ref();
  await ended;
  giveBack(unused);
  const next = takeThread();
  assert.notEqual(next, unused);
  await next.terminate();
});
