import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roomLimits, type Told } from '@spaceport/contract/room-protocol';
import { type RoomView, seeTold, viewOf } from '@spaceport/contract/room-view';
import fc from 'fast-check';
import { type Deed, happen, newRoom, type RoomState, shown } from './room-rules.ts';

/** A browser: what it was told of the room, and how much of that has arrived. */
interface Browser {
  view: RoomView | null;
  log: Told[];
  /** The number of entries of the log that have arrived. */
  got: number;
}

const players = ['a', 'b', 'c', 'd', 'e'];
const player = fc.constantFrom(...players);
type Step = Deed | { readonly is: 'arrive'; readonly id: string; readonly most: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ is: fc.constant('enter' as const), id: player, handle: fc.constant(null) }),
  fc.record({ is: fc.constantFrom('drop' as const, 'leave'), id: player }),
  fc.record({ is: fc.constant('kick' as const), by: player, id: player }),
  fc.record({ is: fc.constant('lock' as const), by: player, on: fc.boolean() }),
  fc.record({
    is: fc.constant('set' as const),
    by: player,
    key: fc.constantFrom('x', 'y', 'z'),
    value: fc.option(fc.constantFrom('1', '2', JSON.stringify('x'.repeat(roomLimits.stateBytes / 2))), {
      nil: undefined,
    }),
  }),
  fc.record({ is: fc.constant('arrive' as const), id: player, most: fc.nat(5) }),
);

/** The room as a new member sees it. */
function pictureOf({ members, host, isLocked, max, values, version }: RoomState): RoomView {
  const inOrder = [...members.values()].toSorted((one, other) => one.order - other.order);
  return viewOf({
    host,
    locked: isLocked,
    max,
    version,
    sent: 0,
    members: inOrder.map(shown),
    state: [...values],
  });
}

function arrive(browser: Browser, most: number): void {
  for (const told of browser.log.slice(browser.got, browser.got + most)) {
    if (browser.view) seeTold(browser.view, told);
    browser.got++;
  }
}

/**
 * Plays a history with frames that arrive late, and checks that all remaining members
 * see the same in the end.
 */
function play(steps: readonly Step[]): void {
  const room = newRoom(3);
  const browsers = new Map<string, Browser>();
  for (const one of steps) {
    if (one.is === 'arrive') {
      const browser = browsers.get(one.id);
      if (browser && room.members.get(one.id)?.here) arrive(browser, one.most);
      continue;
    }
    const isNew = one.is === 'enter' && !room.members.has(one.id);
    const { told, refused } = happen(room, one);
    if (refused !== null) assert.deepEqual(told, []);
    for (const browser of browsers.values()) browser.log.push(...told);
    for (const id of [...browsers.keys()]) if (!room.members.has(id)) browsers.delete(id);
    if (isNew && refused === null) browsers.set(one.id, { view: pictureOf(room), log: [], got: 0 });
    requireSound(room);
  }
  const wanted = pictureOf(room);
  for (const [id, browser] of browsers) {
    arrive(browser, Number.POSITIVE_INFINITY);
    assert.deepEqual(browser.view, wanted, id);
    assert.deepEqual([...(browser.view?.members.keys() ?? [])], [...wanted.members.keys()]);
  }
}

/** Checks what must be true of a room at every moment. */
function requireSound({ members, host, max, barred, values, valuesBytes }: RoomState): void {
  assert.ok(members.size <= max);
  assert.equal(host === null, members.size === 0);
  if (host !== null) assert.ok(members.has(host));
  const here = [...members.values()].some((member) => member.here);
  if (here && host !== null)
    assert.ok(members.get(host)?.here, 'a host who is away, beside members who are there');
  for (const id of barred) assert.ok(!members.has(id));
  const bytes = [...values].reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
  assert.equal(valuesBytes, bytes);
  assert.ok(bytes <= roomLimits.stateBytes);
}

describe('histories of a room', () => {
  it('end with the same members, host, lock and state for everyone', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => play(steps)),
      { numRuns: 1_000 },
    );
  });
});
