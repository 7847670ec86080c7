import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, type Mock, mock } from 'node:test';
import { createTelling } from './telling.ts';

describe('the page’s reports on a load of the frame', () => {
  let sent: Mock<typeof fetch>;
  beforeEach(() => {
    // Another file of the process may have left them on.
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    sent = mock.method(globalThis, 'fetch', async () => new Response(null, { status: 204 }));
    Object.assign(globalThis, {
      document: Object.assign(new EventTarget(), { visibilityState: 'visible' }),
      addEventListener() {},
    });
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
    Reflect.deleteProperty(globalThis, 'document');
    Reflect.deleteProperty(globalThis, 'addEventListener');
  });

  it('keep the errors that come before there is a session', () => {
    let session: string | null = null;
    const telling = createTelling({ session: () => session, headers: () => ({}) });
    telling.failed([{ kind: 'uncaught', message: 'it does not start', count: 1 }]);
    mock.timers.tick(5_000);
    assert.equal(sent.mock.callCount(), 0);
    session = 'opened at last';
    mock.timers.tick(55_000);
    assert.equal(sent.mock.callCount(), 1);
    assert.match(String(sent.mock.calls[0]?.arguments[1]?.body), /it does not start/u);
    telling.stop();
    assert.equal(sent.mock.callCount(), 1);
  });
});
