import { sizeOf } from '@spaceport/contract/message-size';
import {
  type RoomMember,
  type RoomWelcome,
  roomLimits,
  type Told,
  toHost,
} from '@spaceport/contract/room-protocol';
import { type RoomView, seeTold, viewOf } from '@spaceport/contract/room-view';
import type { Json, RoomTicket } from '@spaceport/contract/sdk-protocol';
import { createEvents } from './events.ts';
import { fault } from './faults.ts';
import { isBytes, jsonOf } from './json-or-bytes.ts';
import { createRate } from './rate.ts';
import { openLine } from './room-line.ts';
import type { Given, Member, Room, RoomEvents } from './types.ts';

/** Resolves when the room has sent its state. `again` gets another ticket to it. */
export function openRoom(ticket: RoomTicket, again: () => Promise<RoomTicket>): Promise<Room> {
  return new Promise((resolve, reject) => {
    const allowed = createRate(roomLimits.messagesPerSecond, () => performance.now());
    /** Keys that were set here and not confirmed by the room yet. */
    const pending = new Map<string, { value: string | undefined; times: number }>();
    let view: RoomView | null = null;
    let you = '';
    let isOver = false;

    const { on, emit } = createEvents<RoomEvents>();
    const memberOf = ({ id, handle }: RoomMember): Member => ({
      id,
      handle,
      host: view?.host === id,
      you: id === you,
    });
    const withMember = (id: string, event: 'drop' | 'back' | 'host') => {
      const member = view?.members.get(id);
      if (member) emit(event, [memberOf(member)]);
    };
    const readValue = (text: string | undefined): Json | undefined =>
      text === undefined ? undefined : JSON.parse(text);

    function welcome({ you: me, room }: RoomWelcome): void {
      const before = view;
      you = me;
      if (room) view = viewOf(room);
      if (!before || !view) return void resolve(api);
      if (room) catchUp(before, view);
      if (!room || before.members.get(me)) withMember(me, 'back');
    }

    /** Emits an event for each difference between two views. */
    function catchUp(before: RoomView, now: RoomView): void {
      for (const [id, member] of before.members) if (!now.members.has(id)) emit('leave', [memberOf(member)]);
      for (const [id, member] of now.members) if (!before.members.has(id)) emit('join', [memberOf(member)]);
      if (before.host !== now.host && now.host) withMember(now.host, 'host');
      for (const key of new Set([...before.values.keys(), ...now.values.keys()]))
        if (before.values.get(key) !== now.values.get(key))
          emit('state', [key, readValue(now.values.get(key))]);
      // It is unknown whether these arrived, so the last value of each key is sent again.
      const unsure = [...pending];
      pending.clear();
      for (const [key, { value }] of unsure) set(key, value);
    }

    function hear(told: Told): void {
      if (!view) return;
      if (told.is === 'message')
        return void emit('message', [
          typeof told.data === 'string' ? JSON.parse(told.data) : told.data,
          told.from,
        ]);
      const leaver = told.is === 'leave' ? view.members.get(told.id) : undefined;
      seeTold(view, told);
      if (told.is === 'set' || told.is === 'unset') hearState(told);
      if (told.is === 'join' && told.member.id !== you) emit('join', [memberOf(told.member)]);
      if (leaver) emit('leave', [memberOf(leaver)]);
      if (told.is === 'host') withMember(told.id, 'host');
      if ((told.is === 'drop' || told.is === 'back') && told.id !== you) withMember(told.id, told.is);
    }

    function hearState(told: Extract<Told, { is: 'set' | 'unset' }>): void {
      const own = pending.get(told.key);
      const isOwn = told.is === 'unset' || told.from === you;
      if (own && isOwn && --own.times === 0) pending.delete(told.key);
      // A value set here is shown until the room confirms it, even if others set the key before.
      if (told.is === 'unset' || (!isOwn && !pending.has(told.key)))
        emit('state', [told.key, readValue(view?.values.get(told.key))]);
    }

    function set(key: string, value: string | undefined): void {
      pending.set(key, { value, times: (pending.get(key)?.times ?? 0) + 1 });
      line.say({ is: 'set', key, value });
    }

    /** @throws `closed` and `rate_limited` */
    function take(): void {
      if (isOver) throw fault('closed', 'the room is over');
      if (!allowed())
        throw fault('rate_limited', `more than ${roomLimits.messagesPerSecond} a second`, { retryAfter: 1 });
    }

    const line = openLine(ticket, {
      again,
      known: () => ({ state: [...(view?.values ?? [])], version: view?.version ?? 0 }),
      onWelcome: welcome,
      onTold: hear,
      onDrop: () => withMember(you, 'drop'),
      onEnd(why) {
        isOver = true;
        if (view) emit('closed', [why]);
        else reject(fault(why === 'offline' ? 'offline' : 'closed', `the room cannot be entered: ${why}`));
      },
    });

    const api: Room = {
      code: ticket.code,
      link: ticket.link,
      members: () => [...(view?.members.values() ?? [])].map(memberOf),
      send(data, to = '') {
        const now = packed(data);
        const receiver = to === '' ? to : to === 'host' ? toHost : idOf(to);
        take();
        line.say({ is: 'message', to: receiver, data: now });
      },
      get: (key) => readValue((pending.get(key) ?? { value: view?.values.get(key) }).value),
      set(key, value) {
        const text = value === undefined ? undefined : packed(value);
        if (isBytes(text)) throw fault('invalid', 'a value is JSON');
        if (typeof key !== 'string' || key.length > roomLimits.keyCharacters)
          throw fault('invalid', `a key is a text of at most ${roomLimits.keyCharacters} characters`);
        take();
        set(key, text);
      },
      lock(on) {
        take();
        line.say({ is: 'lock', on: !!on });
      },
      kick(id) {
        const member = idOf(id);
        take();
        line.say({ is: 'kick', id: member });
      },
      leave: line.leave,
      on(event, listener) {
        if (typeof listener !== 'function') throw fault('invalid', 'on() needs a function');
        return on(event, (given) => listener(...given));
      },
    };
  });
}

/**
 * Reads a member's id. The room ends the socket of whoever sends it a frame that it cannot read.
 * @throws `invalid` for anything else, such as the member itself
 */
function idOf(id: unknown): string {
  if (typeof id === 'string' && /^[!-~]{1,100}$/u.test(id)) return id;
  throw fault('invalid', 'a member is named by its id');
}

/**
 * Returns a copy of the data to send.
 * @throws `invalid` for a value that JSON cannot represent, and `too_large`
 */
function packed(data: Given): string | Uint8Array {
  const now = isBytes(data) ? data.slice() : jsonOf(data);
  if (sizeOf(now, roomLimits.messageBytes) > roomLimits.messageBytes)
    throw fault('too_large', `at most ${roomLimits.messageBytes} bytes at once`);
  return now;
}
