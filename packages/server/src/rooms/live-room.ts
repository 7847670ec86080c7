import { isForGood, type RoomEnding, roomEndings } from '@spaceport/contract/room-endings';
import {
  beat,
  type RoomHello,
  readMemberFrame,
  roomLimits,
  type Said,
  spellTold,
  spellWelcome,
  type Told,
  toHost,
} from '@spaceport/contract/room-protocol';
import type { RoomRecord } from '../platform/db/schema.ts';
import { Arrivals } from './arrivals.ts';
import { isJson, readRestore } from './read-frames.ts';
import type { RoomCounts } from './room-counts.ts';
import { happen, newRoom, type RoomState, refusalOf, restore, shown } from './room-rules.ts';
import { type Comer, Seat } from './seat.ts';
import type { Frame } from './sent-log.ts';
import { type MemberSocket, wireFrame } from './wire-frame.ts';

export interface LiveRoomOptions {
  readonly max: number;
  readonly isLocked: boolean;
  /** The record that another process wrote; empty for a new room. */
  readonly record: RoomRecord;
  /** The time in epoch milliseconds. */
  readonly now: () => number;
  /** Called when the members, or the players who may enter, have changed. */
  readonly onChange: () => void;
  readonly counts: RoomCounts;
}

/** A room with its members' sockets, in the one process that has it. */
export class LiveRoom {
  readonly #state: RoomState;
  readonly #seats = new Map<string, Seat>();
  readonly #options: LiveRoomOptions;
  /** Until then (epoch milliseconds), members from before this process had the room may send the state. */
  readonly #restoredUntil: number;
  readonly arrivals = new Arrivals();
  /** Why the room is over here; null while it is not. */
  #ending: RoomEnding | null = null;

  constructor(options: LiveRoomOptions) {
    const { max, isLocked, record, now } = options;
    this.#options = options;
    this.#state = newRoom(max);
    this.#state.isLocked = isLocked;
    this.#state.host = record.host;
    this.#restoredUntil = now() + roomLimits.awayMs;
    for (const id of record.barred) this.#state.barred.add(id);
    for (const { id, handle, account, order } of record.members) {
      this.#state.members.set(id, { id, handle, here: false, order });
      this.#state.nextOrder = Math.max(this.#state.nextOrder, order + 1);
      // Earlier members may come back as if their socket had just broken.
      this.#seats.set(id, new Seat(account, now(), options.counts));
    }
  }

  get isLocked(): boolean {
    return this.#state.isLocked;
  }

  /** The number of members, including those who are away for a moment. */
  get size(): number {
    return this.#state.members.size;
  }

  /** Whether nobody is in it, and nobody is about to enter. */
  get isEmpty(): boolean {
    return this.size === 0 && this.arrivals.count === 0;
  }

  /** The number of members who have a socket now. */
  get here(): number {
    return this.#seats.values().reduce((sum, { socket }) => sum + (socket === null ? 0 : 1), 0);
  }

  record(): RoomRecord {
    const members = [...this.#state.members.values()].map(({ id, handle, order }) => ({
      id,
      handle,
      order,
      account: this.#seats.get(id)?.account ?? null,
    }));
    return { members, host: this.#state.host, barred: [...this.#state.barred] };
  }

  /** Yields the accounts of members, by the members' ids. */
  *accounts(): Generator<[id: string, account: NonNullable<Seat['account']>]> {
    for (const [id, { account }] of this.#seats) if (account !== null) yield [id, account];
  }

  refusal(id: string): ReturnType<typeof refusalOf> {
    return refusalOf(this.#state, id);
  }

  /** Accepts a socket that has just opened. Its first frame says what the member knows. */
  welcome(socket: MemberSocket, who: Comer): void {
    this.arrivals.receive(socket, (hello) => {
      if (this.#ending !== null) this.#end(socket, this.#ending);
      else if (hello === null) this.#end(socket, 'garbage');
      else this.#enter(socket, who, hello);
    });
  }

  #enter(socket: MemberSocket, who: Comer, hello: RoomHello): void {
    const { told, refused } = happen(this.#state, { is: 'enter', id: who.id, handle: who.handle });
    if (refused !== null) return void this.#end(socket, refused === 'kicked' ? 'kicked' : 'closed');
    const known = this.#seats.get(who.id);
    const seat = known ?? new Seat(who.account, this.#options.now(), this.#options.counts);
    if (seat.socket) this.#end(seat.socket, 'elsewhere');
    seat.socket = null;
    this.#seats.set(who.id, seat);
    const hasSignedIn = seat.account !== who.account;
    seat.account = who.account;
    const isKnown = hello.epoch === seat.epoch;
    if (!isKnown) seat.brings = this.#takes(hello.version) ? hello.version : null;
    const missed = isKnown ? seat.log.since(hello.got) : null;
    if (missed === null) seat.beginEpoch();
    this.#tell(told);
    seat.socket = socket;
    seat.heardAt = performance.now();
    const awayMs = known ? Math.max(0, this.#options.now() - seat.awaySince) : 0;
    seat.rate.allow(hello.epoch === seat.epoch ? hello.sent - seat.got : hello.sent, awayMs);
    seat.sendText(
      spellWelcome({
        you: who.id,
        epoch: seat.epoch,
        got: seat.got,
        restore: seat.brings !== null,
        ...(missed === null && { room: this.#picture(seat) }),
      }),
    );
    // The log also has the frames about the member's own entry.
    for (const frame of missed === null ? [] : (seat.log.since(hello.got) ?? [])) seat.send(frame);
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (seat.socket === socket) this.#hear(who.id, seat, isBinary ? data : data.toString());
    });
    socket.once('close', () => {
      if (seat.socket === socket) this.#drop(who.id, seat);
    });
    if (!known || hasSignedIn) this.#options.onChange();
  }

  /** Returns whether a state of this version is newer than the restored one, and not too late. */
  #takes(version: number): boolean {
    return this.#options.now() < this.#restoredUntil && version > this.#state.restored;
  }

  #picture(seat: Seat) {
    const { members, host, isLocked: locked, max, values, version } = this.#state;
    const inOrder = [...members.values()].toSorted((one, other) => one.order - other.order);
    return {
      host,
      locked,
      max,
      version,
      members: inOrder.map(shown),
      state: [...values],
      sent: seat.log.count,
    };
  }

  #drop(id: string, seat: Seat): void {
    seat.socket = null;
    seat.awaySince = this.#options.now();
    this.#tell(happen(this.#state, { is: 'drop', id }).told);
  }

  #hear(id: string, seat: Seat, data: string | Uint8Array): void {
    seat.heardAt = performance.now();
    const frame = readMemberFrame(data);
    if (frame?.is === 'beat') return;
    if (frame?.is === 'leave') return void this.leave(id, 'left');
    if (frame?.is === 'restore' && seat.brings !== null)
      return void this.#restore(id, seat, frame.json, seat.brings);
    if (frame?.is !== 'said') return void this.leave(id, 'garbage');
    seat.got++;
    this.#options.counts.said++;
    if (!seat.rate.take(seat.heardAt)) return void this.leave(id, 'flood');
    this.#do(id, seat, frame.said);
  }

  #do(id: string, seat: Seat, said: Said): void {
    if (said.is === 'message') return void this.#pass(id, said);
    if (said.is === 'set') {
      const { key, value } = said;
      if (key.length > roomLimits.keyCharacters || (value !== undefined && !isJson(value)))
        return void this.leave(id, 'garbage');
      if (value !== undefined && Buffer.byteLength(value) > roomLimits.messageBytes)
        return void this.leave(id, 'tooLarge');
      const { told, refused } = happen(this.#state, { is: 'set', by: id, key, value });
      if (refused === null) this.#tell(told);
      else seat.tell(frameOf({ is: 'unset', key }));
      return;
    }
    const deed = said.is === 'lock' ? said : { is: said.is, id: said.id };
    const { told, refused } = happen(this.#state, { ...deed, by: id });
    // A refused deed is no offence: the member may have been host when it was sent.
    if (refused !== null) return;
    this.#tell(told);
    if (said.is === 'kick') this.#stand(said.id, 'kicked');
    this.#options.onChange();
  }

  /** Passes a message on to all others, to the host, or to one member. */
  #pass(from: string, { to, data }: Extract<Said, { is: 'message' }>): void {
    const bytes = typeof data === 'string' ? Buffer.byteLength(data) : data.length;
    if (bytes > roomLimits.messageBytes) return void this.leave(from, 'tooLarge');
    if (typeof data === 'string' && !isJson(data)) return void this.leave(from, 'garbage');
    const frame = frameOf({ is: 'message', from, data });
    if (to !== '') return void this.#seats.get(to === toHost ? (this.#state.host ?? '') : to)?.tell(frame);
    for (const [id, seat] of this.#seats) if (id !== from) seat.tell(frame);
  }

  /** Restores the state that a member had from the earlier process. */
  #restore(id: string, seat: Seat, json: string, version: number): void {
    seat.brings = null;
    const given = readRestore(json);
    if (given === null) return void this.leave(id, 'garbage');
    const { values } = this.#state;
    const before = [...values.keys()];
    const isTaken = this.#takes(version) && restore(this.#state, given.state, version);
    // The member that sent the state shows it already. If it is not accepted, only this member
    // is told the actual state.
    const known = isTaken ? before : [];
    const gone = new Set([...known, ...given.state.map(([key]) => key)].filter((key) => !values.has(key)));
    const told: Told[] = [
      ...[...gone].map((key) => ({ is: 'set', from: '', key, value: undefined }) as const),
      ...[...values].map(([key, value]) => ({ is: 'set', from: '', key, value }) as const),
      { is: 'version', version: this.#state.version },
    ];
    if (isTaken) this.#tell(told);
    else for (const one of told) seat.tell(frameOf(one));
  }

  #tell(told: readonly Told[]): void {
    for (const one of told) {
      const frame = frameOf(one);
      for (const seat of this.#seats.values()) seat.tell(frame);
      if (one.is === 'host') this.#options.onChange();
    }
  }

  /** Removes a member. */
  leave(id: string, ending: RoomEnding): void {
    const { told, refused } = happen(this.#state, { is: 'leave', id });
    this.#stand(id, ending);
    if (refused !== null) return;
    this.#tell(told);
    this.#options.onChange();
  }

  #stand(id: string, ending: RoomEnding): void {
    const seat = this.#seats.get(id);
    this.#seats.delete(id);
    if (!seat?.socket) return;
    const { socket } = seat;
    seat.socket = null;
    this.#end(socket, ending);
  }

  /** Runs at intervals: sends a heartbeat, and removes members who were away or silent for too long. */
  look(isBeat: boolean): void {
    const now = this.#options.now();
    if (now >= this.#restoredUntil) this.#state.fresh = null;
    for (const [id, seat] of this.#seats) {
      const { socket } = seat;
      if (socket === null) {
        if (now - seat.awaySince >= roomLimits.awayMs) this.leave(id, 'left');
      } else if (performance.now() - seat.heardAt > roomLimits.silentMs) this.#end(socket, 'silent');
      else if (isBeat) seat.sendText(beat);
    }
  }

  /** Ends every socket, also those that open later. Nobody is told that others left, because all of them do. */
  close(ending: RoomEnding): void {
    this.#ending = ending;
    for (const seat of this.#seats.values()) {
      const { socket } = seat;
      seat.socket = null;
      if (socket) this.#end(socket, ending);
    }
  }

  #end(socket: MemberSocket, ending: RoomEnding): void {
    if (socket.readyState === socket.OPEN) this.#options.counts.ended(ending);
    socket.close(roomEndings[ending], isForGood(ending) ? ending : '');
    setTimeout(() => socket.terminate(), endingMs).unref();
  }
}

function frameOf(told: Told): Frame {
  return { bytes: wireFrame(spellTold(told)) };
}

/** A socket that does not answer its end within this time is cut off. */
const endingMs = 2_000;
