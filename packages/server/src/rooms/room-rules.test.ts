import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roomLimits } from '@spaceport/contract/room-protocol';
import { type Deed, happen, newRoom, type RoomState, refusalOf, restore } from './room-rules.ts';

/** Makes a room with this many members. `m1` came first and is host. */
function roomOf(members: number, max = 4): RoomState {
  const room = newRoom(max);
  for (let at = 1; at <= members; at++) happen(room, { is: 'enter', id: `m${at}`, handle: null });
  return room;
}

/** Returns what is told about a deed, or why it was refused. */
function telling(room: RoomState, deed: Deed): string[] {
  const { told, refused } = happen(room, deed);
  if (refused !== null) return [refused];
  return told.map((one) => {
    if (one.is === 'join') return `join ${one.member.id}`;
    return 'id' in one ? `${one.is} ${one.id}` : one.is;
  });
}

describe('the rules of a room', () => {
  it('make the first member the host', () => {
    const room = newRoom(4);
    assert.deepEqual(telling(room, { is: 'enter', id: 'm1', handle: 'ada' }), ['join m1', 'host m1']);
    assert.deepEqual(telling(room, { is: 'enter', id: 'm2', handle: null }), ['join m2']);
    assert.equal(room.host, 'm1');
  });

  it('pass the host on to the oldest present member, who keeps it', () => {
    const room = roomOf(3);
    assert.deepEqual(telling(room, { is: 'drop', id: 'm2' }), ['drop m2']);
    assert.deepEqual(telling(room, { is: 'drop', id: 'm1' }), ['drop m1', 'host m3']);
    assert.deepEqual(telling(room, { is: 'enter', id: 'm1', handle: null }), ['back m1']);
    assert.deepEqual(telling(room, { is: 'leave', id: 'm3' }), ['leave m3', 'host m1']);
  });

  it('keep the host while all members are away, and pass it to the first who is back', () => {
    const room = roomOf(2);
    happen(room, { is: 'drop', id: 'm1' });
    assert.deepEqual(telling(room, { is: 'drop', id: 'm2' }), ['drop m2']);
    assert.equal(room.host, 'm2');
    assert.deepEqual(telling(room, { is: 'enter', id: 'm1', handle: null }), ['back m1', 'host m1']);
  });

  it('do not apply the same event twice', () => {
    const room = roomOf(2);
    assert.deepEqual(telling(room, { is: 'enter', id: 'm2', handle: null }), []);
    happen(room, { is: 'drop', id: 'm2' });
    assert.deepEqual(telling(room, { is: 'drop', id: 'm2' }), ['no_member']);
    happen(room, { is: 'leave', id: 'm2' });
    assert.deepEqual(telling(room, { is: 'leave', id: 'm2' }), ['no_member']);
    assert.deepEqual(telling(room, { is: 'lock', by: 'm1', on: false }), []);
  });

  it('admit nobody over the size, nobody new while locked, and nobody who was kicked', () => {
    const room = roomOf(2, 3);
    assert.deepEqual(telling(room, { is: 'kick', by: 'm1', id: 'm2' }), ['leave m2']);
    assert.equal(refusalOf(room, 'm2'), 'kicked');
    happen(room, { is: 'lock', by: 'm1', on: true });
    assert.equal(refusalOf(room, 'm3'), 'room_locked');
    happen(room, { is: 'lock', by: 'm1', on: false });
    for (const id of ['m3', 'm4']) happen(room, { is: 'enter', id, handle: null });
    assert.equal(refusalOf(room, 'm5'), 'room_full');
    happen(room, { is: 'drop', id: 'm4' });
    assert.equal(refusalOf(room, 'm5'), 'room_full');
    assert.equal(refusalOf(room, 'm4'), null);
  });

  it('let only the host lock the room and kick members, and the host cannot be kicked', () => {
    const room = roomOf(2);
    assert.deepEqual(telling(room, { is: 'lock', by: 'm2', on: true }), ['not_host']);
    assert.deepEqual(telling(room, { is: 'kick', by: 'm2', id: 'm1' }), ['not_host']);
    assert.deepEqual(telling(room, { is: 'kick', by: 'm1', id: 'm1' }), ['no_member']);
    assert.deepEqual(telling(room, { is: 'kick', by: 'm1', id: 'nobody' }), ['no_member']);
  });

  it('limit the state in bytes, without counting replaced values', () => {
    const room = roomOf(1);
    const value = JSON.stringify('x'.repeat(1_000));
    const set = (key: string, to: string | undefined) =>
      happen(room, { is: 'set', by: 'm1', key, value: to }).refused;
    for (let at = 0; at < 65; at++) assert.equal(set(String(at).padStart(3), value), null);
    assert.equal(set('ä', value), 'too_large');
    assert.equal(set('  0', value), null);
    assert.equal(set('  0', undefined), null);
    assert.equal(set('ä', value), null);
    const bytes = [...room.values].reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
    assert.equal(room.valuesBytes, bytes);
    const left = roomLimits.stateBytes - bytes;
    assert.equal(set('rest', 'x'.repeat(left - 'rest'.length + 1)), 'too_large');
    assert.equal(set('rest', 'x'.repeat(left - 'rest'.length)), null);
    assert.equal(room.valuesBytes, roomLimits.stateBytes);
    assert.equal(happen(room, { is: 'set', by: 'm9', key: 'a', value: '1' }).refused, 'no_member');
  });

  it('accept the newest restored state, and keep the values that were set here', () => {
    const room = roomOf(1);
    for (const key of ['here', 'gone']) happen(room, { is: 'set', by: 'm1', key, value: '1' });
    happen(room, { is: 'set', by: 'm1', key: 'gone', value: undefined });
    const pair = (key: string, value: string): [string, string] => [key, value];
    assert.equal(restore(room, [pair('a', 'x'.repeat(roomLimits.stateBytes))], 9), false);
    assert.equal(
      restore(room, [pair('a', '1'), pair('b', '1'), pair('here', '2'), pair('gone', '2')], 2),
      true,
    );
    assert.deepEqual([...room.values], [pair('here', '1'), pair('a', '1'), pair('b', '1')]);
    assert.equal(restore(room, [pair('old', '1')], 2), false);
    assert.equal(restore(room, [pair('a', '1'), pair('a', '22')], 9), true);
    assert.deepEqual(
      [[...room.values], room.valuesBytes, room.version],
      [[pair('here', '1'), pair('a', '22')], 8, 12],
    );
    room.fresh = null;
    assert.equal(restore(room, [pair('late', '1')], 99), false);
  });

  it('drop restored values that do not fit beside the values that were set here', () => {
    const room = roomOf(1);
    happen(room, { is: 'set', by: 'm1', key: 'here', value: '1' });
    const large: [string, string] = ['large', 'x'.repeat(roomLimits.stateBytes - 8)];
    assert.equal(restore(room, [large, ['a', '1']], 1), true);
    assert.deepEqual([...room.values.keys()], ['here', 'a']);
  });
});
