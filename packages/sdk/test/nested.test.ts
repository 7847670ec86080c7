import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { start } from '../src/start.ts';
import { framedModule, loadSecond, served } from './support/fake-page.ts';
import { fakeWindow } from './support/fake-window.ts';

test('uncaught errors of an inner frame are reported once, with its stack', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  using page = framedModule(() => null);
  page.answer();
  Reflect.set(page.window.frame, 'Spaceport', page.module);
  const inner = fakeWindow();
  Reflect.set(inner.frame, 'parent', page.window.frame);
  // The inner page loads the module itself, too.
  for (let times = 0; times < 2; times++)
    Reflect.set(inner.frame, 'Spaceport', start(served, inner.frame, loadSecond));
  inner.dispatch('error', { error: runInNewContext('new TypeError("no bees")') });
  const sent = t.mock.method(MessagePort.prototype, 'postMessage');
  t.mock.timers.tick(1_000);
  const batches = sent.mock.calls.flatMap(({ arguments: [message] }) =>
    message?.m === 'error' ? [message.a[0]] : [],
  );
  assert.equal(batches.length, 1);
  assert.deepEqual(
    [batches[0].length, batches[0][0].message, batches[0][0].count],
    [1, 'TypeError: no bees', 1],
  );
  assert.match(batches[0][0].stack, /no bees\n/u);
});

test('bytes of an inner frame are saved as bytes, and what would be saved as {} is refused', async () => {
  const saved: unknown[] = [];
  using page = framedModule((_method, [slot, data]) => {
    saved.push(data);
    return { slot, data, version: 1 };
  });
  page.answer();
  await page.module.saves.set('a', runInNewContext('new Uint8Array([1, 2, 255])'));
  assert.deepEqual(saved, [new Uint8Array([1, 2, 255])]);
  for (const odd of [new ArrayBuffer(3), new DataView(new ArrayBuffer(3))])
    await assert.rejects(page.module.saves.set('a', odd), { code: 'invalid' });
  // A score has no bytes with it, except its replay.
  await assert.rejects(page.module.scores.submit('a', 1, new Uint8Array([1])), { code: 'invalid' });
});

test('an inner frame of the same space uses the module of the page around it', () => {
  const { frame: page } = fakeWindow();
  const outer = start(served, page, loadSecond);
  Reflect.set(page, 'Spaceport', outer);
  const { frame: inner } = fakeWindow();
  Reflect.set(inner, 'parent', page);
  assert.equal(start(served, inner, loadSecond), outer);
  assert.equal(start(served, page, loadSecond), outer);
});
