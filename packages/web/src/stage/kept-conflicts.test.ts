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
    await other.use();
    assert.equal(here.counts.reloads, 1);
    // Writes of the ending game are dropped.
    await here.write([['best', '2']]);
    const next = tab(store, slot, 'ada');
    assert.equal(best(await next.begin()), '50');
    await next.tell();
    assert.equal(best(slot.theirs?.entries ?? null), '50');
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
