import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { createData } from '../../src/shims/crazygames/data.ts';
import type { Json, Spaceport } from '../../src/types.ts';
import { app } from '../support/fake-page.ts';
import { fakeWindow } from '../support/fake-window.ts';

/** Returns the data module over a slot. `isAway` makes the slot's calls fail. */
function opened() {
  const window = fakeWindow();
  const slot = { data: null as Json | Uint8Array, isAway: false, writes: 0 };
  let signedIn = () => {};
  const away = () => {
    if (slot.isAway) throw new Error('away');
  };
  const spaceport = {
    saves: {
      async get() {
        away();
        return slot.data === null ? null : { data: slot.data };
      },
      async set(_name: string, data: Json | Uint8Array) {
        away();
        slot.writes++;
        slot.data = data;
      },
    },
    on(_event: string, listener: () => void) {
      signedIn = listener;
    },
  };
  const made = createData({
    // The data module uses only these parts of the player module.
    spaceport: spaceport as unknown as Spaceport,
    served: { app, board: null },
    frame: window.frame,
  });
  return { ...made, slot, window, signIn: () => signedIn() };
}

/** Waits until pending promises have continued. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
async function after(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settled();
}

describe('the data of a CrazyGames game', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  test('cannot be used before it was read', () => {
    const { data } = opened();
    for (const call of [
      () => data.getItem('a'),
      () => data.setItem('a', 1),
      () => data.removeItem('a'),
      data.clear,
    ])
      assert.throws(call, { code: 'sdkNotInitialized' });
  });

  test('is read at once as text, and written soon in one batch, then less often', async () => {
    const { data, load, slot } = opened();
    slot.data = { old: 'x', other: 3 };
    await load();
    assert.equal(data.getItem('old'), 'x');
    assert.equal(data.getItem('other'), null);
    data.setItem('gold', 100);
    data.setItem('gold', 101);
    data.removeItem('old');
    assert.equal(data.getItem('gold'), '101');
    await after(49);
    assert.equal(slot.writes, 0);
    await after(1);
    assert.deepEqual(slot.data, { gold: '101' });
    data.setItem('gold', 102);
    await after(1_999);
    assert.deepEqual(slot.data, { gold: '101' });
    await after(1);
    assert.deepEqual(slot.data, { gold: '102' });
    data.setItem('gold', '102');
    await after(10_000);
    assert.equal(slot.writes, 2);
  });

  test('is written when the page closes', async () => {
    const { data, load, slot, window } = opened();
    await load();
    data.setItem('a', 'b');
    window.dispatch('pagehide');
    await settled();
    assert.deepEqual(slot.data, { a: 'b' });
  });

  test('is written when the page is hidden, which a phone may end without further events', async () => {
    const { data, load, slot, window } = opened();
    await load();
    data.setItem('a', 'b');
    const { document } = window.frame;
    Object.assign(document, { visibilityState: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
    await settled();
    assert.deepEqual(slot.data, { a: 'b' });
  });

  test('is read again before the first write when the first read failed, and the write wins', async () => {
    const { data, load, slot } = opened();
    slot.data = { kept: 'k', gold: '1' };
    slot.isAway = true;
    await load();
    assert.equal(data.getItem('kept'), null);
    data.setItem('gold', 2);
    await after(1_000);
    slot.isAway = false;
    await after(5_000);
    assert.deepEqual(slot.data, { kept: 'k', gold: '2' });
    assert.equal(data.getItem('kept'), 'k');
  });

  test('is written again with later changes when a write failed', async () => {
    const { data, load, slot } = opened();
    await load();
    slot.isAway = true;
    data.setItem('a', 1);
    data.setItem('b', 1);
    await after(1_000);
    data.setItem('a', 2);
    data.clear();
    data.setItem('c', 3);
    slot.isAway = false;
    await after(5_000);
    assert.deepEqual(slot.data, { c: '3' });
  });

  test('is merged with that of the account when the player signs in', async () => {
    const { data, load, slot, signIn } = opened();
    await load();
    data.setItem('mine', 'm');
    slot.data = { theirs: 't' };
    signIn();
    await settled();
    assert.deepEqual([data.getItem('theirs'), data.getItem('mine')], ['t', 'm']);
    await after(1_000);
    assert.deepEqual(slot.data, { theirs: 't', mine: 'm' });
  });

  test('of an account is not replaced by that of the guest before when it cannot be read at once', async () => {
    const { data, load, slot, signIn } = opened();
    slot.data = { gold: 'of the guest' };
    await load();
    slot.data = { gold: 'of the account' };
    slot.isAway = true;
    signIn();
    await settled();
    data.setItem('mine', 'm');
    await after(1_000);
    slot.isAway = false;
    await after(5_000);
    assert.deepEqual(slot.data, { gold: 'of the account', mine: 'm' });
    assert.equal(data.getItem('gold'), 'of the account');
  });

  test('keeps texts that the service does not take as JSON, as compressed ones are', async () => {
    const { data, load, slot } = opened();
    await load();
    const packed = 'half \ud800, null \0';
    data.setItem('packed', packed);
    await after(1_000);
    assert.ok(slot.data instanceof Uint8Array);
    const next = opened();
    next.slot.data = slot.data;
    await next.load();
    assert.equal(next.data.getItem('packed'), packed);
    next.slot.data = new Uint8Array([1, 2]);
    next.signIn();
    await settled();
    assert.equal(next.data.getItem('packed'), null);
  });

  test('has a size limit, and removed entries make room', async () => {
    const { data, load } = opened();
    await load();
    const large = 'é'.repeat(100_000);
    data.setItem('large', large);
    assert.throws(() => data.setItem('more', large), { code: 'unexpectedError' });
    assert.equal(data.getItem('more'), null);
    data.setItem('large', large.slice(1));
    data.removeItem('large');
    data.setItem('more', large);
    data.clear();
    data.setItem('again', large);
  });
});
