import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { account, best, browser, offerTo, stopTabs, tab } from '../../test/stage-kept.ts';
import type { FrameStorage } from './frame-storage.ts';
import type { KeptSlot } from './kept-slot.ts';

afterEach(stopTabs);

/** Has another device write 50 before this one writes 1. */
async function conflict(here: FrameStorage, slot: KeptSlot): Promise<void> {
  const there = tab(browser(), slot, 'ada');
  await there.begin();
  await there.write([['best', '50']]);
  await there.tell();
  await here.write([['best', '1']]);
  await here.tell();
}

describe('the storage of one of two devices', () => {
  test('is kept in a running game when another device wrote, whose copy the player is offered', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, 'ada');
    await here.begin();
    await conflict(here, slot);
    assert.equal(best(slot.theirs?.entries ?? null), '1');
    const other = offerTo(here);
    assert.deepEqual([other.stands, other.device], ['mine', 'A']);
    await here.use(other);
    assert.equal(here.counts.reloads, 1);
    // Writes of the ending game are dropped.
    await here.write([['best', '2']]);
    const next = tab(store, slot, 'ada');
    assert.equal(best(await next.begin()), '50');
    assert.equal(best(slot.theirs?.entries ?? null), '50');
    assert.equal(slot.lost.at(-1), '50', 'refused first, so that the service keeps what it replaces');
  });

  test('is replaced by an offered copy after a restart, but not by another player’s', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, 'ada');
    await here.begin();
    await conflict(here, slot);
    here.stop();
    const guest = tab(store, slot, null);
    await guest.begin();
    await guest.use(offerTo(here));
    assert.equal(guest.counts.reloads, 0);
    const next = tab(store, slot, 'ada');
    await next.begin();
    await next.write([['level', '2']]);
    await next.use(offerTo(here));
    assert.deepEqual([next.counts.reloads, here.counts.reloads], [1, 0]);
    await next.write([['best', '3']]);
    assert.deepEqual([...((await tab(store, slot, 'ada').begin()) ?? [])], [['best', '50']]);
  });

  test('stays as it is while the service, which would keep it, is away', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, 'ada');
    await here.begin();
    await conflict(here, slot);
    slot.isAway = true;
    await assert.rejects(here.use(offerTo(here)), /away/u);
    await here.write([['best', '2']]);
    assert.equal(here.counts.reloads, 0);
    assert.equal(best(await tab(store, slot, 'ada').begin()), '2');
  });

  test('is not in conflict with a write of its own whose answer was lost', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, 'ada');
    await here.begin();
    slot.isUnheard = true;
    await here.write([['best', '1']]);
    await here.tell();
    await here.write([['best', '2']]);
    await here.tell();
    assert.equal(best(slot.theirs?.entries ?? null), '2');
    slot.isUnheard = true;
    await here.write([['best', '3']]);
    await here.tell();
    await here.write([['best', '4']]);
    here.tellLast();
    const next = tab(store, slot, 'ada');
    assert.equal(best(await next.begin()), '4');
    await next.tell();
    assert.equal(best(slot.theirs?.entries ?? null), '4');
    assert.deepEqual([here.others, next.others, slot.lost], [[], [], []]);
  });

  test('is not in conflict with such a write either if its repetition comes too soon for the service', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, 'ada');
    await here.begin();
    slot.isUnheard = true;
    await here.write([['best', '1']]);
    await here.tell();
    slot.isBusy = true;
    await here.tell();
    await here.write([['best', '2']]);
    await here.tell();
    assert.equal(best(slot.theirs?.entries ?? null), '2');
    assert.deepEqual([here.others, slot.lost], [[], []]);
  });

  test('starts with the newer of two conflicting copies, and the service gets both', async () => {
    const [store, slot] = [browser(), account()];
    const here = tab(store, slot, 'ada');
    await here.begin();
    await here.write([['best', '1']]);
    slot.theirs = { entries: new Map([['best', '9']]), at: Date.now() + 60_000, version: 5, device: 'B' };
    const next = tab(store, slot, 'ada');
    assert.equal(best(await next.begin()), '9');
    assert.deepEqual(slot.lost, ['1']);
    assert.deepEqual(
      next.others.map(({ stands, device }) => [stands, device]),
      [['theirs', 'B']],
    );
  });
});
