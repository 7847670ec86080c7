import assert from 'node:assert/strict';
import { type RoomEnding, roomEndingOf } from '@spaceport/contract/room-endings';
import {
  type RoomFrame,
  type RoomHello,
  type RoomWelcome,
  readRoomFrame,
  roomProtocol,
  type Said,
  spellHello,
  spellSaid,
  type Told,
  ticketPrefix,
} from '@spaceport/contract/room-protocol';
import { type RoomView, seeTold, viewOf } from '@spaceport/contract/room-view';
import WebSocket from 'ws';
import type { PlayingVisitor } from './played.ts';
import type { RawAnswer } from './raw-http.ts';
import type { TestService } from './service.ts';

export interface Ticket {
  readonly url: string;
  readonly ticket: string;
  readonly code: string;
  readonly link: string;
}

export interface Way {
  readonly how: 'create' | 'join' | 'quick';
  readonly code?: string;
  readonly max?: number;
  readonly open?: boolean;
}

/** Asks for a ticket to a room. Returns the answer. */
export function ask(player: PlayingVisitor, space: string, way: Way): Promise<RawAnswer> {
  return player.call('POST', '/api/player/rooms', { space, ...way });
}

/** Returns a ticket to a room. @throws an error if it is refused */
export async function ticketTo(player: PlayingVisitor, space: string, way: Way): Promise<Ticket> {
  const answer = await ask(player, space, way);
  assert.equal(answer.status, 200, answer.text());
  return answer.json();
}

/** A member with a raw socket, without the module of games. */
export interface RoomMember {
  readonly socket: WebSocket;
  readonly ticket: Ticket;
  readonly welcome: RoomWelcome;
  /** The room as received so far. */
  readonly view: RoomView;
  /** All received frames, in order. */
  readonly told: readonly Told[];
  readonly ended: Promise<RoomEnding | null>;
  say(said: Said): void;
  /** Resolves to the first matching frame, past or future. */
  until(fits: (told: Told) => boolean): Promise<Told>;
  /** Returns a hello for coming back. */
  hello(): RoomHello;
  /** Breaks the connection without a close frame. */
  breakOff(): Promise<void>;
}

const fresh: RoomHello = { epoch: null, got: 0, sent: 0, version: 0 };

/**
 * Opens a socket as a browser on this origin does, at another node's port if one is given. Returns the HTTP
 * status if it is refused.
 */
export async function openSocket(
  { url, ticket }: Pick<Ticket, 'url' | 'ticket'>,
  origin: string | undefined,
  port?: number,
): Promise<WebSocket | number> {
  const address = new URL(url);
  const { host } = address;
  if (port !== undefined) address.host = `127.0.0.1:${port}`;
  const socket = new WebSocket(address, [roomProtocol, ticketPrefix + ticket], {
    ...(origin !== undefined && { origin }),
    headers: { host },
    perMessageDeflate: false,
  });
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
}

/** Returns the origin of a space's pages. */
export function originOf({ service }: TestService, label: string): string {
  const { urls } = service.platform;
  return new URL(/^[pu]--/u.test(label) ? urls.preview(label) : urls.live(label)).origin;
}

/** Joins with a ticket, for the first time or with the known state of the room. */
export async function comeIn(
  ticket: Ticket,
  origin: string,
  before?: RoomMember,
  port?: number,
): Promise<RoomMember> {
  const hello = before?.hello() ?? fresh;
  const socket = await openSocket(ticket, origin, port);
  assert.ok(socket instanceof WebSocket, `the socket was refused: ${socket}`);
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  let view = before?.view;
  let welcome: RoomWelcome | undefined;
  let got = 0;
  let sent = 0;
  const ended = new Promise<RoomEnding | null>((resolve) =>
    socket.once('close', (code) => {
      resolve(roomEndingOf(code));
      for (const look of waiting) look();
    }),
  );
  const hear = (frame: RoomFrame | null) => {
    assert.ok(frame, 'a frame that says nothing');
    if (frame.is === 'beat') return socket.send('~');
    if (frame.is === 'welcome') {
      welcome = frame.welcome;
      if (welcome.room) view = viewOf(welcome.room);
      got = welcome.room?.sent ?? hello.got;
      sent = welcome.got;
      return;
    }
    told.push(frame.told);
    got++;
    if (view) seeTold(view, frame.told);
  };
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    hear(readRoomFrame(isBinary ? Uint8Array.from(data) : data.toString()));
    for (const look of waiting) look();
  });
  socket.send(spellHello(hello));
  const until = <Found>(find: () => Found | undefined) =>
    new Promise<Found>((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined && socket.readyState !== WebSocket.CLOSED) return;
        waiting.delete(look);
        if (found === undefined) reject(new Error(`the socket ended before that: ${JSON.stringify(told)}`));
        else resolve(found);
      };
      waiting.add(look);
      look();
    });
  await until(() => welcome);
  assert.ok(welcome && view);
  const [known, seen] = [welcome, view];
  return {
    socket,
    ticket,
    told,
    ended,
    welcome: known,
    view: seen,
    say(said) {
      sent++;
      socket.send(spellSaid(said));
    },
    until: (fits) => until(() => told.find(fits)),
    hello: () => ({ epoch: known.epoch, got, sent, version: seen.version }),
    async breakOff() {
      socket.terminate();
      await ended;
    },
  };
}

/** Gets a ticket and joins. */
export async function enter(
  service: TestService,
  player: PlayingVisitor,
  space: string,
  way: Way,
): Promise<RoomMember> {
  return comeIn(await ticketTo(player, space, way), originOf(service, space));
}

/** Comes back after a broken socket, with another ticket and the known state. */
export async function comeBack(
  service: TestService,
  player: PlayingVisitor,
  space: string,
  before: RoomMember,
): Promise<RoomMember> {
  const ticket = await ticketTo(player, space, { how: 'join', code: before.ticket.code });
  return comeIn(ticket, originOf(service, space), before);
}

/** Returns the received messages in order, parsed from JSON. */
export function messagesOf({ told }: Pick<RoomMember, 'told'>): unknown[] {
  return told.flatMap((one) =>
    one.is === 'message' ? [typeof one.data === 'string' ? JSON.parse(one.data) : [...one.data]] : [],
  );
}

export function message(data: unknown, to = ''): Said {
  return {
    is: 'message',
    to,
    data: data instanceof Uint8Array ? data : JSON.stringify(data),
  };
}
