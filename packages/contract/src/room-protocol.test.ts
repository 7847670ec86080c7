import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isForGood, roomEndingOf, roomEndings } from './room-endings.ts';
import {
  readMemberFrame,
  readRoomFrame,
  type Said,
  spellHello,
  spellLeave,
  spellRestore,
  spellSaid,
  spellTold,
  spellWelcome,
  type Told,
} from './room-protocol.ts';

const id = fc.stringMatching(/^[\w-]{1,43}$/u);
const data = fc.oneof(
  fc.json(),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Uint8Array.from(bytes)),
);
const key = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed());
const value = fc.option(fc.json(), { nil: undefined });

const said: fc.Arbitrary<Said> = fc.oneof(
  fc.record({
    is: fc.constant('message' as const),
    to: fc.oneof(fc.constant(''), fc.constant('^'), id),
    data,
  }),
  fc.record({ is: fc.constant('set' as const), key, value }),
  fc.record({ is: fc.constant('lock' as const), on: fc.boolean() }),
  fc.record({ is: fc.constant('kick' as const), id }),
);

const member = fc.record({ id, handle: fc.option(id), here: fc.boolean() });
const told: fc.Arbitrary<Told> = fc.oneof(
  fc.record({ is: fc.constant('message' as const), from: id, data }),
  fc.record({ is: fc.constant('set' as const), from: fc.oneof(fc.constant(''), id), key, value }),
  fc.record({ is: fc.constant('unset' as const), key }),
  fc.record({ is: fc.constant('join' as const), member }),
  fc.record({ is: fc.constantFrom('drop' as const, 'back', 'leave', 'host'), id }),
  fc.record({ is: fc.constant('lock' as const), on: fc.boolean() }),
  fc.record({ is: fc.constant('version' as const), version: fc.nat() }),
);

describe('the frames of rooms', () => {
  it('carry what a member says to the room', () => {
    fc.assert(
      fc.property(said, (one) => {
        assert.deepEqual(readMemberFrame(spellSaid(one)), { is: 'said', said: structuredClone(one) });
      }),
    );
  });

  it('carry what the room tells a member', () => {
    fc.assert(
      fc.property(told, (one) => {
        assert.deepEqual(readRoomFrame(spellTold(one)), { is: 'told', told: structuredClone(one) });
      }),
    );
  });

  it('carry the messages without a count: hello, leave, restore, beat and welcome', () => {
    const hello = { epoch: null, got: 0, sent: 0, version: 0 };
    assert.deepEqual(readMemberFrame(spellHello(hello)), { is: 'hello', json: JSON.stringify(hello) });
    assert.deepEqual(readMemberFrame(spellLeave()), { is: 'leave' });
    const restored = { is: 'restore', json: '{"state":[["a","1"]],"version":3}' };
    assert.deepEqual(readMemberFrame(spellRestore([['a', '1']], 3)), restored);
    assert.deepEqual(readMemberFrame('~'), { is: 'beat' });
    assert.deepEqual(readRoomFrame('~'), { is: 'beat' });
    const welcome = { you: 'me', epoch: 'e', got: 0, restore: false };
    assert.deepEqual(readRoomFrame(spellWelcome(welcome)), { is: 'welcome', welcome });
  });

  it('are read as null where they are malformed', () => {
    for (const odd of ['', 'x', 'mme', 'l', 'l2', 'k', 'sa', 's"a', 's"a"1', 's"\\x"', 'qq', '~~', 'jx'])
      assert.equal(readMemberFrame(odd), null, odd);
    for (const odd of [[], [5], [2, 65]]) assert.equal(readMemberFrame(Uint8Array.from(odd)), null);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array()), (odd) => {
        readMemberFrame(odd);
      }),
    );
  });

  it('give the reason of an end by its close code', () => {
    for (const [name, code] of Object.entries(roomEndings)) assert.equal(roomEndingOf(code), name);
    assert.equal(roomEndingOf(1006), null);
    assert.deepEqual([isForGood(null), isForGood('moved'), isForGood('kicked')], [false, false, true]);
  });
});
