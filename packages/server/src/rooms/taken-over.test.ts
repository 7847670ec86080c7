import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { WiredBrowser } from '../../test/room-wire.ts';
import type { RoomRecord } from '../platform/db/schema.ts';
import { LiveRoom } from './live-room.ts';
import { RoomCounts } from './room-counts.ts';

const nobody: RoomRecord = { members: [], host: null, barred: [] };

function open(record: RoomRecord): LiveRoom {
  return new LiveRoom({
    max: 4,
    isLocked: false,
    record,
    now: () => 0,
    onChange: () => {},
    counts: new RoomCounts(),
  });
}

function rest(browsers: readonly WiredBrowser[]): void {
  while (browsers.map((one) => one.arrive(100)).includes(true));
}

/** The first of four players keeps what it set. Some of the others come only after the process ended. */
const deed = fc.record({
  is: fc.constantFrom('connect', 'connect', 'break', 'arrive', 'arrive', 'set'),
  who: fc.nat(3),
  most: fc.nat(4),
  value: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
});
type Done = typeof deed extends fc.Arbitrary<infer D> ? D : never;
const deeds = fc.array(deed, { maxLength: 30, size: 'max' });

function does(browser: WiredBrowser | undefined, { is, most, value }: Done): void {
  if (is === 'connect') browser?.connect();
  if (is === 'break') browser?.breakOff();
  if (is === 'arrive') browser?.arrive(most);
  if (is === 'set') browser?.say({ is: 'set', key: 'x', value });
}

describe('a room whose process has ended', () => {
  it('keeps its state, whoever returns first and whatever is set or breaks meanwhile', () => {
    fc.assert(
      fc.property(deeds, deeds, fc.boolean(), (before, after, isWritten) => {
        const first = open(nobody);
        const browsers = ['a', 'b', 'c', 'd'].map((name) => new WiredBrowser(first, name));
        browsers[0]?.connect();
        rest(browsers);
        browsers[0]?.say({ is: 'set', key: 'anchor', value: '1' });
        rest(browsers);
        for (const one of before) does(browsers[one.who], one);
        // The process may have ended before it wrote its members.
        const second = open(isWritten ? first.record() : nobody);
        for (const browser of browsers) browser.moveTo(second);
        for (const one of after) does(browsers[one.who], one);
        for (const browser of browsers) if (browser.isIn) browser.connect();
        rest(browsers);
        const views = browsers.flatMap(({ view, isIn }) => (isIn ? [view] : []));
        for (const view of views) {
          assert.equal(view?.values.get('anchor'), '1');
          assert.deepEqual(view, views[0]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
