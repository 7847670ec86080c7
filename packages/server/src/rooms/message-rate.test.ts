import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roomLimits } from '@spaceport/contract/room-protocol';
import { MessageRate } from './message-rate.ts';

const { messagesPerSecond: perSecond } = roomLimits;

/** Returns how many messages are accepted at one instant until one is refused. */
function takenAt(rate: MessageRate, now: number): number {
  let taken = 0;
  while (rate.take(now)) taken++;
  return taken;
}

describe('the message rate of a member', () => {
  it('allows a number per second, and those of two seconds at once', () => {
    const rate = new MessageRate(0);
    assert.equal(takenAt(rate, 0), 2 * perSecond);
    assert.equal(takenAt(rate, 1_000), perSecond);
    assert.equal(takenAt(rate, 100_000), 2 * perSecond);
  });

  it('never refuses a member who sends at that pace', () => {
    const rate = new MessageRate(0);
    for (let at = 0; at < 100 * perSecond; at++) assert.ok(rate.take((at * 1_000) / perSecond));
  });

  it('also allows the messages of the time away, and no more', () => {
    const rate = new MessageRate(0);
    rate.allow(1_000, 2_000);
    assert.equal(takenAt(rate, 0), 4 * perSecond);
    rate.allow(5, 60_000);
    assert.equal(takenAt(rate, 0), 5);
    rate.allow(-5, 60_000);
    rate.allow(1e9, 1e9);
    assert.equal(takenAt(rate, 0), (roomLimits.awayMs / 1_000) * perSecond);
  });
});
