import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rawRequest } from '../../../test/raw-http.ts';
import { openListener } from './listener.ts';

describe('a listener that is draining', () => {
  it('accepts new connections until none come any more', async (t) => {
    const listener = await openListener('127.0.0.1', 0);
    t.after(() => listener.drain(0));
    listener.handle((_request, response) => response.end('hello'));
    const ask = () => rawRequest(listener.port, `http://127.0.0.1:${listener.port}/`);
    assert.equal((await ask()).text(), 'hello');
    let isOver = false;
    const away = listener.sendAway(600_000).then(() => {
      isOver = true;
    });
    // No connection is open between two requests, but the drain must not end yet.
    for (let asked = 0; asked < 5; asked++) {
      const answer = await ask();
      assert.equal(answer.headers.connection, 'close');
      assert.ok(!isOver);
    }
    await away;
  });

  it('does not wait when the time is zero', async (t) => {
    const listener = await openListener('127.0.0.1', 0);
    t.after(() => listener.drain(0));
    await listener.sendAway(0);
  });
});
