import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { isForGood, roomEndingOf } from '@spaceport/contract/room-endings';
import {
  type RoomWelcome,
  readRoomFrame,
  type Said,
  spellHello,
  spellRestore,
  spellSaid,
  type Told,
} from '@spaceport/contract/room-protocol';
import { type RoomView, seeTold, viewOf } from '@spaceport/contract/room-view';
import type { LiveRoom } from '../src/rooms/live-room.ts';
import type { MemberSocket } from '../src/rooms/wire-frame.ts';

/** The room's end of a simulated socket. The test decides when frames arrive, or that they are lost. */
class WiredSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly toBrowser: (string | Uint8Array | { readonly code: number })[] = [];
  readonly toRoom: (string | Uint8Array)[] = [];

  readonly wire = {
    write: (frame: Buffer): boolean => {
      const head = { 126: 4, 127: 10 }[Number(frame[1])] ?? 2;
      const payload = frame.subarray(head);
      this.toBrowser.push(frame[0] === 0x82 ? Uint8Array.from(payload) : payload.toString());
      return true;
    },
  };

  close(code: number): void {
    if (this.readyState !== 1) return;
    this.readyState = 2;
    this.toBrowser.push({ code });
  }

  terminate(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.emit('close', 1006);
  }
}

/** A simulated player with the module's rules for repeating frames. */
export class WiredBrowser {
  readonly id: string;
  #room: LiveRoom;
  #socket: WiredSocket | null = null;
  #isWelcome = false;
  #epoch: string | null = null;
  #got = 0;
  #said: Said[] = [];
  view: RoomView | null = null;
  /** The number of its current visit to the room. Sent and received messages are recorded per visit. */
  life = 0;
  heard: { readonly from: string; readonly life: number; readonly count: number }[] = [];
  #count = 0;

  constructor(room: LiveRoom, id: string) {
    this.#room = room;
    this.id = id;
  }

  get isIn(): boolean {
    return this.#epoch !== null;
  }

  /** Connects with a new ticket. */
  connect(): void {
    if (this.#socket !== null || this.#room.refusal(this.id) !== null) return;
    const socket = new WiredSocket();
    this.#socket = socket;
    this.#isWelcome = false;
    // The simulated socket has everything that a room uses.
    this.#room.welcome(socket as unknown as MemberSocket, { id: this.id, handle: null, account: null });
    const version = this.view?.version ?? 0;
    socket.toRoom.push(spellHello({ epoch: this.#epoch, got: this.#got, sent: this.#said.length, version }));
  }

  /** Moves to another process that has taken over the room. */
  moveTo(room: LiveRoom): void {
    this.breakOff();
    this.#room = room;
  }

  say(said: Said | 'message'): void {
    if (!this.isIn) return;
    const one: Said =
      said === 'message'
        ? { is: 'message', to: '', data: JSON.stringify({ life: this.life, count: this.#count++ }) }
        : said;
    this.#said.push(one);
    if (this.#isWelcome) this.#socket?.toRoom.push(spellSaid(one));
  }

  leave(): void {
    if (this.#isWelcome) this.#socket?.toRoom.push('q');
  }

  /** Breaks the connection; frames on the way are lost. */
  breakOff(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#isWelcome = false;
    socket?.terminate();
  }

  /** Delivers at most this many frames in each direction. Returns whether any were delivered. */
  arrive(most: number): boolean {
    let arrived = false;
    for (let at = 0; at < most && this.#socket; at++) {
      const up = this.#socket.toRoom.shift();
      if (up !== undefined && this.#socket.readyState === 1)
        this.#socket.emit('message', Buffer.from(up), typeof up !== 'string');
      const down = this.#socket.toBrowser.shift();
      if (down !== undefined) this.#hear(down);
      if (up === undefined && down === undefined) return arrived;
      arrived = true;
    }
    return arrived;
  }

  #hear(data: string | Uint8Array | { readonly code: number }): void {
    if (typeof data !== 'string' && 'code' in data) return void this.#end(data.code);
    const frame = readRoomFrame(data);
    assert.ok(frame);
    if (frame.is === 'welcome') this.#welcome(frame.welcome);
    if (frame.is !== 'told') return;
    this.#got++;
    this.#see(frame.told);
  }

  #welcome({ epoch, got, room, restore }: RoomWelcome): void {
    const isSame = epoch === this.#epoch;
    if (!isSame) {
      this.#said = [];
      this.#count = 0;
      this.life++;
      this.heard = [];
    }
    this.#epoch = epoch;
    const values = [...(this.view?.values ?? [])];
    const { version } = this.view ?? { version: 0 };
    if (restore) this.#socket?.toRoom.push(spellRestore(values, version));
    if (room) {
      this.view = viewOf(restore ? { ...room, state: values, version } : room);
      this.#got = room.sent;
    }
    this.#isWelcome = true;
    for (const said of this.#said.slice(got)) this.#socket?.toRoom.push(spellSaid(said));
  }

  #see(told: Told): void {
    if (told.is === 'message') this.heard.push({ from: told.from, ...JSON.parse(String(told.data)) });
    else if (this.view) seeTold(this.view, told);
  }

  #end(code: number): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#isWelcome = false;
    if (isForGood(roomEndingOf(code))) {
      this.#epoch = null;
      this.#got = 0;
      this.#said = [];
      this.view = null;
    }
    if (socket) {
      socket.readyState = 3;
      socket.emit('close', code);
    }
  }
}
