import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { frameNamePrefix, type StorageChange } from '@spaceport/contract/sdk-protocol';
import { start } from '../src/start.ts';
import { framedModule, loadSecond, Refusal, served } from './support/fake-page.ts';
import { type FakeWindowOptions, fakeStorage, fakeWindow } from './support/fake-window.ts';

const player = { id: '', handle: null, guest: true };
const named = (kept: unknown, more: object = {}) =>
  `${frameNamePrefix}${JSON.stringify({ env: 'live', player, kept, ...more })}`;

const left: (() => void)[] = [];
afterEach(() => {
  for (const leave of left.splice(0)) leave();
});

/**
 * Opens the module in a frame whose page has stored `kept`. `told` collects the changes that the page gets.
 */
function keptFrame(kept: unknown, options: FakeWindowOptions = {}, isTaken = () => true) {
  const told: StorageChange[][] = [];
  const page = framedModule(
    (method, [changes]) => {
      if (method !== 'storage.write') return null;
      if (!isTaken()) throw new Refusal({ code: 'rate_limited', message: 'slowly' });
      told.push(changes as StorageChange[]);
      return null;
    },
    { storage: null, name: named(kept), ...options },
  );
  left.push(() => page.window.dispatch('pagehide'));
  return { page, told, storage: page.window.frame.localStorage };
}
/** Waits until a condition holds. The time limit of the test ends the wait. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('a space’s storage in a frame', () => {
  test('is there before the first script, filled with the page’s copy, even where the browser refuses one', () => {
    const { page, storage } = keptFrame([['best', '7']]);
    using _ = page;
    assert.equal(storage.getItem('best'), '7');
    assert.equal(page.window.frame.sessionStorage.length, 0);
  });

  test('is sent to the page soon and in batches, and again when the page did not accept it', async () => {
    let isTaken = false;
    const { page, told, storage } = keptFrame(null, {}, () => isTaken);
    using _ = page;
    page.answer();
    storage.setItem('a', '1');
    storage.setItem('a', '2');
    await until(() => page.heard.length > 0);
    storage.setItem('b', '3');
    isTaken = true;
    await until(() => told.length > 0);
    assert.deepEqual(told[0], [
      ['a', '2'],
      ['b', '3'],
    ]);
  });

  test('is sent without waiting when its page may be about to close, including writes of that moment', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    using page = framedModule((method) => (method === 'storage.write' ? answered.then(() => null) : null), {
      storage: null,
      name: named(null),
    });
    const { localStorage: storage, document } = page.window.frame;
    page.answer();
    // This listener runs after the module's own, as every listener of a space does.
    page.window.frame.addEventListener('beforeunload', () => storage.setItem('level', '3'));
    const last = () => page.heard.findLast(({ m }) => m === 'storage.write')?.a[0];
    storage.setItem('best', '1');
    await until(() => last() !== undefined);
    storage.setItem('best', '2');
    page.window.dispatch('beforeunload');
    await until(() => JSON.stringify(last()) === '[["best","2"],["level","3"]]');
    Object.assign(document, { visibilityState: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
    storage.setItem('level', '4');
    await until(() => JSON.stringify(last()) === '[["best","2"],["level","4"]]');
    answer();
    page.window.dispatch('pagehide');
  });

  test('continues in the space’s next page, with changes that the outer page did not get yet', async () => {
    const { page, told, storage } = keptFrame([['best', '7']]);
    using _ = page;
    storage.setItem('best', '8');
    page.window.frame.sessionStorage.setItem('round', '2');
    page.window.dispatch('pagehide');
    const { name } = page.window.frame;
    const next = keptFrame(null, { name });
    using __ = next.page;
    assert.equal(next.storage.getItem('best'), '8');
    assert.equal(next.page.window.frame.sessionStorage.getItem('round'), '2');
    next.page.window.dispatch('pagehide');
    assert.deepEqual(JSON.parse(next.page.window.frame.name.slice(frameNamePrefix.length)).untold, [
      ['best', '8'],
    ]);
    // Both frames have sent a write. It is answered before the test ends.
    page.answer();
    next.page.answer();
    await until(() => told.length > 0 && next.told.length > 0);
  });

  test('starts once with what the browser had before a page kept it', async () => {
    const own = fakeStorage();
    own.setItem('old', '1');
    const visible = Object.assign(own, { old: '1' });
    const { page, told, storage } = keptFrame(null, { storage: visible });
    using _ = page;
    page.answer();
    assert.equal(storage.getItem('old'), '1');
    await until(() => told.length > 0);
    assert.ok(told[0]?.some((change) => change?.[0] === 'old'));
    const later = keptFrame([], { storage: visible });
    using __ = later.page;
    assert.equal(later.storage.getItem('old'), null);
  });

  test('is the browser’s own when no page keeps it, or lasts for the page when the browser refuses one', () => {
    const own = fakeStorage();
    using kept = framedModule(() => null, { storage: own });
    assert.equal(kept.window.frame.localStorage, own);
    using refused = framedModule(() => null, { storage: null });
    refused.window.frame.localStorage.setItem('a', '1');
    assert.equal(refused.window.frame.localStorage.getItem('a'), '1');
    assert.deepEqual(refused.heard, []);
  });

  test('is not looked for in the browser before the space asks for it', () => {
    let looks = 0;
    const own = fakeStorage();
    const { getItem } = own;
    own.getItem = (key) => {
      looks++;
      return getItem(key);
    };
    using page = framedModule(() => null, { storage: own, name: named(null) });
    left.push(() => page.window.dispatch('pagehide'));
    assert.equal(looks, 0);
    void page.window.frame.localStorage;
    void page.window.frame.sessionStorage;
    assert.equal(looks, 2);
  });

  test('takes what the browser had when the space asks on a later page', () => {
    const own = Object.assign(fakeStorage(), { old: '1' });
    using menu = framedModule(() => null, { storage: own, name: named(null) });
    menu.window.dispatch('pagehide');
    using level = framedModule(() => null, { storage: own, name: menu.window.frame.name });
    left.push(() => level.window.dispatch('pagehide'));
    assert.equal(level.window.frame.localStorage.getItem('old'), '1');
  });

  test('has another tab’s change rather than what the browser had', async () => {
    const own = Object.assign(fakeStorage(), { level: '1', old: '1' });
    using page = framedModule(() => null, { storage: own, name: named(null) });
    left.push(() => page.window.dispatch('pagehide'));
    const heard = new Promise((resolve) => page.window.frame.addEventListener('storage', resolve));
    page.answer().postMessage({ ev: 'storage', d: [['level', '9']] });
    await heard;
    const { localStorage: storage } = page.window.frame;
    assert.deepEqual([storage.getItem('level'), storage.getItem('old')], ['9', '1']);
  });

  test('for one tab passes through a page that does not use it', () => {
    const first = keptFrame([]);
    using _ = first.page;
    first.page.window.frame.sessionStorage.setItem('round', '2');
    first.page.window.dispatch('pagehide');
    using menu = framedModule(() => null, { storage: null, name: first.page.window.frame.name });
    menu.window.dispatch('pagehide');
    const last = keptFrame([], { name: menu.window.frame.name });
    using __ = last.page;
    assert.equal(last.page.window.frame.sessionStorage.getItem('round'), '2');
  });

  test('is shared with a nested page, and so is memory, but not the browser’s own', () => {
    const nestedIn = (outer: Window, storage: Storage | null) => {
      const inner = fakeWindow({ storage }).frame;
      Object.assign(inner, { parent: outer });
      start(served, inner, loadSecond);
      return inner;
    };
    const { page, storage } = keptFrame([['best', '7']]);
    using _ = page;
    const outer = Object.assign(page.window.frame, { Spaceport: page.module });
    const inner = nestedIn(outer, null);
    assert.equal(inner.localStorage, storage);
    inner.sessionStorage.setItem('round', '2');
    assert.equal(outer.sessionStorage.getItem('round'), '2');
    using own = framedModule(() => null, { storage: fakeStorage() });
    const innerStorage = fakeStorage();
    const beside = nestedIn(Object.assign(own.window.frame, { Spaceport: own.module }), innerStorage);
    assert.equal(beside.sessionStorage, innerStorage);
  });
});
