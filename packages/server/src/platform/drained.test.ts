import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { drained } from './drained.ts';

for (const event of ['drain', 'close'])
  test(`the wait for a stream ends at «${event}», and leaves no listeners`, async () => {
    const stream = new EventEmitter();
    const waiting = drained(stream);
    stream.emit(event);
    await waiting;
    assert.deepEqual(stream.eventNames(), []);
  });
