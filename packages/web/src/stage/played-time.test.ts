import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createPlayedTime } from './played-time.ts';

describe('the played time of a load', () => {
  const started = (isSeen = true) => {
    const clock = { now: 0 };
    return { clock, time: createPlayedTime(() => clock.now, isSeen) };
  };

  it('is not reported before play begins', () => {
    const { clock, time } = started();
    clock.now = 60_000;
    time.playing(false);
    assert.equal(time.next(), null);
  });

  it('counts only the time in which the page is visible and the game is played', () => {
    const { clock, time } = started();
    time.begun(1_234.4, 5_000);
    clock.now = 10_500;
    time.seen(false);
    clock.now = 30_000;
    time.seen(true);
    clock.now = 35_000;
    time.playing(false);
    clock.now = 50_000;
    assert.deepEqual(time.next(), { part: 0, seconds: 15, began: { ms: 1_234, bytes: 5_000 } });
    time.told();
    assert.equal(time.next(), null);
    time.playing(true);
    clock.now = 60_500;
    assert.deepEqual(time.next(), { part: 1, seconds: 11 }, 'with the half second that was left');
  });

  it('is repeated unchanged until its report is acknowledged', () => {
    const { clock, time } = started();
    time.begun(1, 1);
    clock.now = 5_000;
    const first = time.next();
    clock.now = 9_000;
    assert.equal(time.next(), first);
    time.told();
    assert.deepEqual(time.next(), { part: 1, seconds: 4 });
  });

  it('leaves out the time in which the computer slept', () => {
    const { clock, time } = started();
    time.begun(1, 1);
    clock.now = 8 * 3_600_000;
    assert.equal(time.next()?.seconds, 120);
    time.told();
    clock.now += 3_000;
    assert.equal(time.next()?.seconds, 3);
  });

  it('is always valid for the service, whatever a frame sends', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (ms, bytes) => {
        const { time } = started();
        time.begun(ms, bytes);
        time.begun(3, 4);
        const began = time.next()?.began;
        assert.ok(began && Number.isInteger(began.ms) && began.ms >= 0 && began.ms <= 3_600_000);
        assert.ok(began.bytes === null || (Number.isInteger(began.bytes) && began.bytes >= 0));
      }),
    );
  });
});
