import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSigns } from './signs.ts';
import { createStageStore } from './stage-state.ts';

describe('the page’s signs for a space', () => {
  it('show how much is loaded, until all of it is or play begins', () => {
    const store = createStageStore();
    const signs = createSigns(store, () => 0);
    signs.loading(0.25);
    assert.equal(store.get().loaded, 0.25);
    signs.loading(1);
    assert.equal(store.get().loaded, null);
    signs.loading(0);
    signs.playing(false);
    assert.equal(store.get().loaded, 0);
    signs.playing(true);
    assert.equal(store.get().loaded, null);
    signs.loading(0.5);
    signs.forget();
    assert.equal(store.get().loaded, null);
  });

  it('show no loading for a value that is not a fraction', () => {
    const store = createStageStore();
    const signs = createSigns(store, () => 0);
    for (const odd of [-1, 2, Number.NaN, Number.POSITIVE_INFINITY, '0.5', null, undefined, {}]) {
      signs.loading(0.5);
      signs.loading(odd);
      assert.equal(store.get().loaded, null, String(odd));
    }
  });

  it('show at most one celebration in two seconds', () => {
    const store = createStageStore();
    let now = 0;
    const signs = createSigns(store, () => now);
    for (now of [0, 1, 1_999]) signs.celebrate();
    assert.equal(store.get().celebrations, 1);
    now = 2_000;
    signs.celebrate();
    assert.equal(store.get().celebrations, 2);
  });
});
