import { roomProtocol, ticketPrefix } from '@spaceport/contract/room-protocol';
import type { RoomTicket } from '@spaceport/contract/sdk-protocol';
import WebSocket from 'ws';
import { fault, isFault } from '../../sdk/src/faults.ts';
import { openRoom } from '../../sdk/src/room.ts';
import type { Room } from '../../sdk/src/types.ts';
import { codeOf, onceFree } from './answers.ts';
import type { PlayingVisitor } from './played.ts';
import { ask, type Way } from './room-member.ts';

/** As the page of a space says them to the module; any other is worth another try. */
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
 * Gives the module sockets as a page on this origin has them, to whichever port a ticket names. `host` is the one that the
 * service has to the outside.
 */
export function openSocketsFrom(origin: string, host: string): void {
  class PageSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { origin, headers: { host }, perMessageDeflate: false });
      // What is refused is told by its end.
      this.on('error', () => {});
      const ticket = protocols.find((name) => name !== roomProtocol)?.slice(ticketPrefix.length) ?? '';
      sockets.set(ticket, this);
      this.once('close', () => sockets.delete(ticket));
    }
  }
  Reflect.set(globalThis, 'WebSocket', PageSocket);
}

/** Who said something, in which of its times in the room, and as the how-manieth. */
export interface Heard {
  readonly from: string;
  readonly life: number;
  readonly count: number;
}

/** A player whose page has the module that games have. */
export class RoomBrowser {
  readonly #who: PlayingVisitor;
  readonly #space: string;
  /** Port of the node that its calls and sockets go to now. */
  readonly #portOf: () => number;
  #ticket = '';
  #life = 0;
  #count = 0;
  room: Room | null = null;
  /** Why it is in none; null before the first. */
  closed: string | null = null;
  readonly heard: Heard[] = [];
  /** `performance.now()` of each time that its socket was there again. */
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

  /** @throws the module's error where it may not */
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

  /** Says who, when and the how-manieth it is; nothing where it may not now. */
  say(): void {
    this.try((room) => {
      room.send({ life: this.#life, count: this.#count });
      this.#count++;
    });
  }

  /** What is refused because of the moment is left. */
  try(does: (room: Room) => void): void {
    try {
      if (this.room) does(this.room);
    } catch (error) {
      if (!isFault(error) || !['rate_limited', 'closed'].includes(error.code)) throw error;
    }
  }

  /** The network breaks its socket: the module opens another. */
  drop(): void {
    sockets.get(this.#ticket)?.terminate();
  }
}
