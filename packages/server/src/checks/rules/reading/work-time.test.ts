import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { afterWork } from './work-time.ts';

const start = (script: string) => new Worker(script, { eval: true });

test('a thread that works is told when its time is over', async () => {
  const worker = start('for (;;);');
  await new Promise<void>((resolve) => afterWork(worker, 100, resolve));
  await worker.terminate();
});

test('the time in which a thread gets no processor does not count', async (context) => {
  // It waits for a message, as a thread of a busy machine waits for a processor.
  const worker = start('require("node:worker_threads").parentPort.on("message", () => { for (;;); })');
  await once(worker, 'online');
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let isOver = false;
  afterWork(worker, 10_000, () => {
    isOver = true;
  });
  for (let minute = 0; minute < 60; minute++) {
    context.mock.timers.tick(60_000);
    await worker.cpuUsage();
    await new Promise(setImmediate);
  }
  await worker.terminate();
  assert.equal(isOver, false);
});
