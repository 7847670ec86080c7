import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roomLimits } from '@spaceport/contract/room-protocol';
import { RoomCounts } from './room-counts.ts';
import { Seat } from './seat.ts';
import type { MemberSocket } from './wire-frame.ts';

/** A socket whose reader takes nothing, so that everything sent to it waits. */
function unread(): MemberSocket & { readonly ended: boolean } {
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    ended: false,
    wire: {
      write(bytes: Buffer) {
        socket.bufferedAmount += bytes.length;
      },
    },
    terminate() {
      socket.ended = true;
      socket.readyState = 3;
    },
  };
  // A seat uses nothing else of a socket.
  return socket as unknown as MemberSocket & { readonly ended: boolean };
}

describe('the place of a member', () => {
  it('drops a socket with too much unsent data, and keeps the last messages for its return', () => {
    const seat = new Seat(null, 0, new RoomCounts());
    const socket = unread();
    seat.socket = socket;
    const frame = { bytes: Buffer.alloc(4_096) };
    const most = roomLimits.waitingBytes / frame.bytes.length;
    for (let at = 0; at < most; at++) seat.tell(frame);
    assert.equal(socket.ended, false);
    seat.tell(frame);
    assert.equal(socket.ended, true);
    for (let at = 0; at < 100; at++) seat.tell(frame);
    assert.equal(socket.bufferedAmount, roomLimits.waitingBytes + frame.bytes.length);
    const kept = roomLimits.keptBytes / frame.bytes.length;
    assert.equal(seat.log.since(most + 101 - kept)?.length, kept);
    assert.equal(seat.log.since(most + 101 - kept - 1), null);
  });

  it('keeps messages while there is no socket, and starts a new epoch for a client without state', () => {
    const seat = new Seat(null, 0, new RoomCounts());
    seat.tell({ bytes: Buffer.of(1) });
    assert.equal(seat.log.since(0)?.length, 1);
    const { epoch } = seat;
    seat.got = 5;
    seat.beginEpoch();
    assert.notEqual(seat.epoch, epoch);
    assert.deepEqual([seat.got, seat.log.count], [0, 0]);
  });
});
