import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { start } from '../src/start.ts';
import { framedModule, loadSecond, served } from './support/fake-page.ts';
import { fakeWindow } from './support/fake-window.ts';

/**
 * Opens the module in a page. `told` returns what the page was told of the beginning of play: milliseconds
 * and bytes.
 */
function started(t: TestContext) {
  const page = framedModule(() => null, { loaded: [1_000, 20_000, 300_000] });
  const sent = t.mock.method(MessagePort.prototype, 'postMessage');
  page.answer();
  return {
    ...page,
    at(ms: number) {
      page.window.clock.now = ms;
    },
    press: () => page.window.dispatch('pointerdown'),
    told: () =>
      sent.mock.calls.flatMap(({ arguments: [message] }) => (message?.m === 'begun' ? [message.a] : [])),
  };
}

describe('play begins', () => {
  it('with the first press after the page has loaded, at the time when it had loaded', (t) => {
    const page = started(t);
    t.after(() => page[Symbol.dispose]());
    page.at(100);
    page.press();
    page.at(800);
    page.window.load();
    assert.deepEqual(page.told(), []);
    page.at(9_000);
    page.window.dispatch('keydown');
    page.press();
    page.module.playing(true);
    assert.deepEqual(page.told(), [[800, 321_000]]);
  });

  it('with the first press in a nested page, whose files count too', (t) => {
    const page = started(t);
    t.after(() => page[Symbol.dispose]());
    Reflect.set(page.window.frame, 'Spaceport', page.module);
    const nested = fakeWindow({ loaded: [500, 7_000] });
    Reflect.set(nested.frame, 'parent', page.window.frame);
    start(served, nested.frame, loadSecond);
    page.at(800);
    page.window.load();
    nested.dispatch('pointerdown');
    assert.deepEqual(page.told(), [[800, 328_500]]);
  });

  it('when the space reports play, at that time', (t) => {
    const page = started(t);
    t.after(() => page[Symbol.dispose]());
    page.module.playing(false);
    page.at(2_500);
    page.module.playing(true);
    page.module.playing(false);
    page.module.playing(true);
    assert.deepEqual(page.told(), [[2_500, 321_000]]);
  });

  it('with a press after the space has reported that it is loaded, and with none before', (t) => {
    const page = started(t);
    t.after(() => page[Symbol.dispose]());
    page.module.loading(0.1);
    page.at(500);
    page.window.load();
    page.press();
    page.at(4_000);
    page.module.loading(1);
    page.at(6_000);
    page.press();
    assert.deepEqual(page.told(), [[4_000, 321_000]]);
  });
});
