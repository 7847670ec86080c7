import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { QuietMoment } from './quiet-moment.ts';

describe('a quiet moment', () => {
  function waiting() {
    mock.timers.enable({ apis: ['setTimeout'] });
    let acts = 0;
    const moment = new QuietMoment({ quietMs: 100, atMostMs: 1_000 }, () => acts++);
    return {
      moment,
      acts: () => acts,
      tick: (ms: number) => mock.timers.tick(ms),
      [Symbol.dispose]: () => mock.timers.reset(),
    };
  }

  it('comes once, after the quiet time', () => {
    using it = waiting();
    it.moment.begin();
    it.moment.begin();
    it.tick(99);
    assert.equal(it.acts(), 0);
    it.tick(2_000);
    assert.equal(it.acts(), 1);
  });

  it('comes later when it is disturbed, but not later than it may', () => {
    using it = waiting();
    it.moment.begin();
    for (let time = 50; time < 1_000; time += 50) {
      it.tick(50);
      it.moment.disturb();
    }
    assert.equal(it.acts(), 0);
    it.tick(50);
    assert.equal(it.acts(), 1);
  });

  it('is not begun by what disturbs it, and can be begun again', () => {
    using it = waiting();
    it.moment.disturb();
    it.tick(2_000);
    assert.equal(it.acts(), 0);
    for (const acts of [1, 2]) {
      it.moment.begin();
      it.tick(100);
      assert.equal(it.acts(), acts);
    }
    it.moment.begin();
    it.moment.stop();
    it.tick(2_000);
    assert.equal(it.acts(), 2);
  });
});
