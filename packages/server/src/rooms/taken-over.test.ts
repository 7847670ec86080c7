import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { readRoomFrame, spellHello } from '@spaceport/contract/room-protocol';
import type { WebSocket } from 'ws';
import { LiveRoom } from './live-room.ts';
import { RoomCounts } from './room-counts.ts';

/** Whether the room takes the state from who comes back to it knowing a version of it. */
function takesState({ isTakenOver, knows }: { isTakenOver: boolean; knows: number }): boolean | undefined {
  const room = new LiveRoom({
    ...{ max: 3, isLocked: false, isTakenOver, record: { members: [], host: null, barred: [] } },
    now: () => 0,
    onChange: () => {},
    counts: new RoomCounts(),
  });
  const sent: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    send: (text: Buffer | string) => sent.push(String(text)),
    close() {},
    terminate() {},
  });
  // As much of a socket as a room asks of one.
  room.welcome(socket as unknown as WebSocket, { id: 'ada', handle: 'ada', account: null });
  socket.emit('message', Buffer.from(spellHello({ epoch: 'e', got: 4, sent: 2, version: knows })), false);
  socket.emit('close');
  const welcome = sent.map((text) => readRoomFrame(text)).find((frame) => frame?.is === 'welcome');
  return welcome?.is === 'welcome' ? welcome.welcome.restore : undefined;
}

describe('a room that another process had', () => {
  it('takes the state from who comes back, also where nobody had been written down', () => {
    assert.equal(takesState({ isTakenOver: true, knows: 3 }), true);
  });

  it('takes none from who knows none, and a new room from nobody', () => {
    assert.equal(takesState({ isTakenOver: true, knows: 0 }), false);
    assert.equal(takesState({ isTakenOver: false, knows: 3 }), false);
  });
});
