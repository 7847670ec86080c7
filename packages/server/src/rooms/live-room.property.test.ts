import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roomLimits } from '@spaceport/contract/room-protocol';
import fc from 'fast-check';
import { WiredBrowser } from '../../test/room-wire.ts';
import type { RoomRecord } from '../platform/db/schema.ts';
import { LiveRoom } from './live-room.ts';
import { RoomCounts } from './room-counts.ts';

const names = ['a', 'b', 'c', 'd'];
const who = fc.constantFrom(...names);

type Deed =
  | { readonly is: 'connect' | 'break' | 'message' | 'leave' | 'ban'; readonly who: string }
  | { readonly is: 'set'; readonly who: string; readonly key: string; readonly value: string | undefined }
  | { readonly is: 'kick'; readonly who: string; readonly whom: string }
  | { readonly is: 'lock'; readonly who: string; readonly on: boolean }
  | { readonly is: 'arrive'; readonly who: string; readonly most: number }
  | { readonly is: 'wait'; readonly seconds: number }
  | { readonly is: 'take over' };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constantFrom('connect' as const, 'message'), who }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('break' as const), who }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom('leave' as const, 'ban'), who }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('kick' as const), who, whom: who }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('lock' as const), who, on: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('set' as const),
      who,
      key: fc.constantFrom('x', 'y'),
      value: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ is: fc.constant('arrive' as const), who, most: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('wait' as const), seconds: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('take over' as const) }) },
);

function play(deeds: readonly Deed[]): void {
  let now = 0;
  const open = (isLocked: boolean, record: RoomRecord) =>
    new LiveRoom({
      max: 3,
      isLocked,
      record,
      now: () => now,
      onChange: () => {},
      counts: new RoomCounts(),
    });
  let room = open(false, { members: [], host: null, barred: [] });
  const browsers = new Map(names.map((name) => [name, new WiredBrowser(room, name)]));
  const of = (name: string) => browsers.get(name) ?? new WiredBrowser(room, name);
  for (const one of deeds) {
    if (one.is === 'connect') of(one.who).connect();
    if (one.is === 'break') of(one.who).breakOff();
    if (one.is === 'message') of(one.who).say('message');
    if (one.is === 'leave') of(one.who).leave();
    if (one.is === 'ban') room.leave(one.who, 'banned');
    if (one.is === 'kick') of(one.who).say({ is: 'kick', id: one.whom });
    if (one.is === 'lock') of(one.who).say({ is: 'lock', on: one.on });
    if (one.is === 'set') of(one.who).say({ is: 'set', key: one.key, value: one.value });
    if (one.is === 'arrive') of(one.who).arrive(one.most);
    if (one.is === 'wait') {
      now += one.seconds * 1_000;
      room.look(false);
    }
    if (one.is === 'take over') {
      room = open(room.isLocked, room.record());
      for (const browser of browsers.values()) browser.moveTo(room);
    }
    for (const browser of browsers.values()) requireOrder(browser);
  }
  // Every member that may come back does, and everything that was sent arrives.
  for (const browser of browsers.values()) if (browser.isIn) browser.connect();
  let isQuiet = false;
  while (!isQuiet) {
    isQuiet = true;
    for (const browser of browsers.values()) if (browser.arrive(100)) isQuiet = false;
  }
  now += roomLimits.awayMs;
  room.look(false);
  for (const browser of browsers.values()) browser.arrive(1_000);
  requireSame(room, [...browsers.values()]);
}

/** Checks that a member heard each other member's messages in order, once, and without a gap. */
function requireOrder({ heard }: WiredBrowser): void {
  const last = new Map<string, number>();
  for (const { from, life, count } of heard) {
    const key = `${from} ${life}`;
    const before = last.get(key);
    if (before !== undefined) assert.equal(count, before + 1, key);
    last.set(key, count);
  }
}

function requireSame(room: LiveRoom, browsers: readonly WiredBrowser[]): void {
  const { members, host } = room.record();
  const inside = browsers.filter(({ id }) => members.some((member) => member.id === id));
  assert.equal(inside.length, members.length);
  for (const browser of inside) {
    requireOrder(browser);
    assert.deepEqual(
      [...(browser.view?.members.keys() ?? [])],
      members.map(({ id }) => id),
      browser.id,
    );
    assert.ok([...(browser.view?.members.values() ?? [])].every(({ here }) => here));
    assert.equal(browser.view?.host, host);
    assert.equal(browser.view?.locked, room.isLocked);
    assert.deepEqual(browser.view, inside[0]?.view);
  }
}

describe('histories of a room with broken sockets and ended processes', () => {
  it('end with the same members, state and messages for everyone, none lost, repeated or reordered', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 150, size: 'max' }), (deeds) => play(deeds)),
      { numRuns: 500 },
    );
  });
});
