import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roomLimits } from '@spaceport/contract/room-protocol';
import fc from 'fast-check';
import { SentLog } from './sent-log.ts';

describe('the log of messages sent to a member', () => {
  it('returns every missed message if the log still has them, and otherwise null', () => {
    const size = fc.integer({ min: 0, max: roomLimits.keptBytes / 8 });
    fc.assert(
      fc.property(fc.array(size, { maxLength: 60 }), fc.nat(60), (sizes, got) => {
        const log = new SentLog();
        const frames = sizes.map((length) => ({ bytes: Buffer.alloc(length) }));
        for (const frame of frames) log.push(frame);
        const missed = frames.slice(got);
        const missedBytes = missed.reduce((sum, { bytes }) => sum + bytes.length, 0);
        const found = log.since(got);
        assert.equal(log.count, frames.length);
        if (got > frames.length) assert.equal(found, null);
        else if (missedBytes <= roomLimits.keptBytes) assert.deepEqual(found, missed);
        else assert.equal(found, null);
      }),
    );
  });

  it('has a maximum number of messages, however small they are', () => {
    const log = new SentLog();
    const many = 3 * roomLimits.keptFrames;
    for (let at = 0; at < many; at++) log.push({ bytes: Buffer.of(at & 255) });
    assert.equal(log.since(many - roomLimits.keptFrames)?.length, roomLimits.keptFrames);
    assert.equal(
      log.since(many - roomLimits.keptFrames)?.[0]?.bytes[0],
      (many - roomLimits.keptFrames) & 255,
    );
    assert.equal(log.since(many - roomLimits.keptFrames - 1), null);
    assert.deepEqual(log.since(many), []);
  });
});
