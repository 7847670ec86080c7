import assert from 'node:assert/strict';
import { afterEach, describe, mock, test } from 'node:test';
import { account, best, browser, offerTo, stopTabs, tab } from '../../test/stage-kept.ts';
import { nothingKept } from './kept-rules.ts';
import type { KeptSlot } from './kept-slot.ts';
import type { KeptStore } from './kept-store.ts';

afterEach(() => {
  mock.timers.reset();
  stopTabs();
});

describe('the storage that a page keeps', () => {
  test('belongs to the guest at first, and is not sent to the account', async () => {
    const [store, slot] = [browser(), account()];
    const first = tab(store, slot, null);
    assert.equal(await first.begin(), null);
    await first.write([['best', '7']]);
    await first.tell();
    assert.equal(best(await tab(store, slot, null).begin()), '7');
    assert.equal(slot.theirs, null);
    await assert.rejects(first.write('best'), { code: 'invalid' });
  });

  test('asks for no lock if nothing is unsent, because a page that does so while it is left is not kept', async () => {
    const asked = mock.method(navigator.locks, 'request');
    const here = tab(browser(), account(), 'ada');
    await here.begin();
    await here.tell();
    assert.equal(asked.mock.callCount(), 0);
    await here.write([['best', '7']]);
    await here.tell();
    await here.tell();
    assert.equal(asked.mock.callCount(), 1);
    asked.mock.restore();
  });

  test('starts a space again that ran before it was read, and drops what that wrote', async () => {
    const [store, slot] = [browser(), account()];
    const early = tab(store, slot, null, true);
    const begun = early.begin();
    await early.write([['best', '0']]);
    assert.deepEqual([await begun, early.counts.reloads], [null, 0]);
    await early.write([['best', '7']]);

    const late = tab(store, slot, null, true);
    const beginning = late.begin();
    await late.write([['best', '0']]);
    assert.deepEqual([best(await beginning), late.counts.reloads], ['7', 1]);
    assert.equal(best(await tab(store, slot, null).begin()), '7');
  });

  test('restores the last changes of a closed page, unless something changed after them', async () => {
    const [store, slot] = [browser(), account()];
    const stuck = { ...store, change: () => new Promise<never>(() => {}) };
    const gone = tab(stuck, slot, null);
    await gone.begin();
    void gone.write([['best', '7']]);
    gone.tellLast();
    const next = tab(store, slot, null);
    assert.equal(best(await next.begin()), '7');
    assert.equal(best(await tab(store, slot, null).begin()), '7');

    const late = tab(stuck, slot, null);
    await late.begin();
    void late.write([['best', '8']]);
    late.tellLast();
    await next.write([['best', '9']]);
    store.all.set('spc_1 live guest', {
      ...nothingKept,
      entries: new Map([['best', '9']]),
      at: Date.now() + 1,
    });
    assert.equal(best(await tab(store, slot, null).begin()), '9');
  });

  test('moves the last changes of a guest’s closed page to the account that opens the space next', async () => {
    const [store, slot] = [browser(), account()];
    const gone = tab({ ...store, change: () => new Promise<never>(() => {}) }, slot, null);
    await gone.begin();
    void gone.write([['best', '7']]);
    gone.tellLast();
    const next = tab(store, slot, 'ada');
    assert.equal(best(await next.begin()), '7');
    await next.tell();
    assert.equal(best(slot.theirs?.entries ?? null), '7');
  });

  test('waits for the account’s copy, with retries, when this browser has none', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const slot = account();
    const there = tab(browser(), slot, 'ada');
    await there.write([['best', '7']]);
    await there.tell();
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let asked = 0;
    const slow: KeptSlot = {
      ...slot,
      async read() {
        if (++asked === 1) throw new Error('away');
        await answered;
        return slot.read();
      },
    };
    const begun = tab(browser(), slow, 'ada').begin();
    for (let ms = 0; ms < 9_000; ms += 100) {
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      mock.timers.tick(100);
    }
    answer();
    assert.deepEqual([best(await begun), asked], ['7', 2]);
  });

  test('is not reset to the account’s old copy after another tab has sent its changes', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, 'ada');
    await here.begin();
    await here.write([['best', '7']]);
    // The database answers late; meanwhile the other tab has written to the account.
    let isTold = false;
    const late: KeptStore = {
      ...store,
      async read(key) {
        if (key.endsWith('@ada') && !isTold) {
          isTold = true;
          await here.tell();
        }
        return store.read(key);
      },
    };
    assert.equal(best(await tab(late, slot, 'ada').begin()), '7');
  });

  test('moves to the account when a guest signs in, and is synchronised from then on', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, null);
    await here.begin();
    await here.write([['best', '7']]);
    await here.become('ada');
    assert.equal(best(slot.theirs?.entries ?? null), '7');
    assert.deepEqual([...store.all.keys()], ['spc_1 live @ada']);
    assert.equal(best(await tab(browser(), slot, 'ada').begin()), '7');
    assert.deepEqual([here.others, here.counts.reloads], [[], 0]);
  });

  test('is not mixed with the account’s other copy, which the player is offered', async () => {
    const [store, slot] = [browser(), account()];
    const before = tab(store, slot, 'ada');
    await before.begin();
    await before.write([
      ['best', '50'],
      ['level', '9'],
    ]);
    await before.tell();
    const here = tab(store, slot, null);
    assert.equal(await here.begin(), null);
    await here.become('ada');
    assert.equal(here.others.length, 1);
    await here.write([['best', '1']]);
    await here.tell();
    assert.deepEqual([...(slot.theirs?.entries ?? [])], [['best', '1']]);
    assert.deepEqual([here.others.length, here.counts.reloads], [1, 0]);
    await here.use(offerTo(here));
    assert.deepEqual(Object.fromEntries((await tab(store, slot, 'ada').begin()) ?? []), {
      best: '50',
      level: '9',
    });
  });

  test('stays apart, and starts with the account’s copy, when the conflict cannot be sent to the service', async () => {
    const [store, slot] = [browser(), account()];
    const before = tab(store, slot, 'ada');
    await before.begin();
    slot.isAway = true;
    await before.write([['best', '50']]);
    await before.tell();
    const here = tab(store, slot, null);
    await here.begin();
    await here.write([['best', '1']]);
    await here.become('ada');
    assert.equal(here.counts.reloads, 1);
    assert.equal(best(await tab(store, slot, 'ada').begin()), '50');
    assert.equal(best(await tab(store, slot, null).begin()), '1');
  });

  test('starts with the browser’s copy while the service is away, and is sent later', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, 'ada');
    await here.begin();
    slot.isAway = true;
    await here.write([['best', '7']]);
    await here.tell();
    const again = tab(store, slot, 'ada');
    assert.equal(best(await again.begin()), '7');
    slot.isAway = false;
    await again.tell();
    assert.equal(best(slot.theirs?.entries ?? null), '7');
  });

  test('starts empty when it was deleted elsewhere', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, 'ada');
    await here.begin();
    await here.write([['best', '1']]);
    await here.tell();
    slot.theirs = null;
    assert.equal((await tab(store, slot, 'ada').begin())?.size, 0);
    assert.equal(store.all.size, 0);
  });

  test('changes with the player: the game restarts, and nothing is mixed', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, 'ada');
    await here.begin();
    await here.write([['best', '1']]);
    await here.become(null);
    await here.write([['best', '2']]);
    assert.equal(here.counts.reloads, 1);
    assert.equal(await tab(store, slot, null).begin(), null);
    assert.equal(store.all.get('spc_1 live @ada')?.entries.get('best'), '1');
  });
});
