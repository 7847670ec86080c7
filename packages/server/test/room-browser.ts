import { roomProtocol, ticketPrefix } from '@spaceport/contract/room-protocol';
import type { RoomTicket } from '@spaceport/contract/sdk-protocol';
import WebSocket from 'ws';
import { fault, isFault } from '../../sdk/src/faults.ts';
import { openRoom } from '../../sdk/src/room.ts';
import type { Room } from '../../sdk/src/types.ts';
import { codeOf, onceFree } from './answers.ts';
import type { PlayingVisitor } from './played.ts';
import { ask, type Way } from './room-member.ts';

/** Error codes that the page passes to the module. Any other error is tried again. */
const codes: Readonly<Record<string, Parameters<typeof fault>[0]>> = {
  not_found: 'not_found',
  banned: 'banned',
  kicked: 'banned',
  room_full: 'full',
  room_locked: 'closed',
  space_unavailable: 'closed',
};

/** Sockets of browsers in this process, by the tickets that opened them. */
const sockets = new Map<string, WebSocket>();

/**
 * Gives the module sockets like those of a page on this origin. They connect to the port that a ticket names.
 * `host` is the public host of the service.
 */
export function openSocketsFrom(origin: string, host: string): void {
  class PageSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { origin, headers: { host }, perMessageDeflate: false });
      // A refused socket is reported by its close event.
      this.on('error', () => {});
      const ticket = protocols.find((name) => name !== roomProtocol)?.slice(ticketPrefix.length) ?? '';
      sockets.set(ticket, this);
      this.once('close', () => sockets.delete(ticket));
    }
  }
  Reflect.set(globalThis, 'WebSocket', PageSocket);
}

/** A message: its sender, the sender's visit to the room, and its number in that visit. */
export interface Heard {
  readonly from: string;
  readonly life: number;
  readonly count: number;
}

/** A player with the real module of games. */
export class RoomBrowser {
  readonly #who: PlayingVisitor;
  readonly #space: string;
  /** Returns the port of the node that its calls and sockets use now. */
  readonly #portOf: () => number;
  #ticket = '';
  #life = 0;
  #count = 0;
  room: Room | null = null;
  /** Why it is in no room; null before the first. */
  closed: string | null = null;
  readonly heard: Heard[] = [];
  /** `performance.now()` of each reconnect. */
  readonly backAt: number[] = [];

  constructor(who: PlayingVisitor, space: string, portOf: () => number) {
    this.#who = who;
    this.#space = space;
    this.#portOf = portOf;
  }

  get id(): string | undefined {
    return this.room?.members().find(({ you }) => you)?.id;
  }

  get isHost(): boolean {
    return this.room?.members().some(({ you, host }) => you && host) ?? false;
  }

  /** Joins a room. @throws the module's error if it may not */
  async enter(way: Way): Promise<Room> {
    const first = await this.#ticketFor(way);
    const back: Way = { how: 'join', code: first.code };
    const room = await openRoom(first, () => this.#ticketFor(back));
    this.room = room;
    this.#life++;
    this.#count = 0;
    room.on('message', (data, from) =>
      this.heard.push({ from, ...(data as { life: number; count: number }) }),
    );
    room.on('back', ({ you }) => {
      if (you) this.backAt.push(performance.now());
    });
    room.on('closed', (why) => {
      if (this.room === room) this.room = null;
      this.closed = why;
    });
    return room;
  }

  async #ticketFor(way: Way): Promise<RoomTicket> {
    const port = this.#portOf();
    const answer = await onceFree(() => ask(this.#who, this.#space, way));
    if (answer.status !== 200) {
      const known = codes[codeOf(answer)[1]];
      throw known ? fault(known, answer.text()) : new Error(answer.text());
    }
    const { url, ...ticket }: RoomTicket = answer.json();
    this.#ticket = ticket.ticket;
    const at = new URL(url);
    at.host = `127.0.0.1:${port}`;
    return { ...ticket, url: at.href };
  }

  /** Sends a message with its sender, visit and number; nothing if it may not send now. */
  say(): void {
    this.try((room) => {
      room.send({ life: this.#life, count: this.#count });
      this.#count++;
    });
  }

  /** Runs an action, and ignores temporary refusals. */
  try(does: (room: Room) => void): void {
    try {
      if (this.room) does(this.room);
    } catch (error) {
      if (!isFault(error) || !['rate_limited', 'closed'].includes(error.code)) throw error;
    }
  }

  /** Breaks the socket, so that the module opens another. */
  drop(): void {
    sockets.get(this.#ticket)?.terminate();
  }
}
