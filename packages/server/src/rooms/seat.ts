import { randomBytes } from 'node:crypto';
import { roomLimits } from '@spaceport/contract/room-protocol';
import type { AccountId } from '../platform/db/ids.ts';
import { MessageRate } from './message-rate.ts';
import type { RoomCounts } from './room-counts.ts';
import { type Frame, SentLog } from './sent-log.ts';
import { type MemberSocket, wireFrame } from './wire-frame.ts';

/** Whom a ticket let in. */
export interface Comer {
  /** The name by which the space knows the player. */
  readonly id: string;
  readonly handle: string | null;
  /** Null of a guest. */
  readonly account: AccountId | null;
}

/** A member's place in a room, with or without a socket. */
export class Seat {
  readonly account: AccountId | null;
  socket: MemberSocket | null = null;
  /** When the socket broke, in epoch ms. */
  awaySince: number;
  /** Frames of the member that were got in the epoch. */
  got = 0;
  /** Counts begin with it: another load of the page has another one. */
  epoch = randomBytes(9).toString('base64url');
  /** Version of the state that it has of a process that is gone, and is asked for; null where it has none, or sent it. */
  brings: number | null = null;
  log = new SentLog();
  rate = new MessageRate(performance.now());
  /** By `performance.now()`. */
  heardAt = performance.now();

  readonly #counts: RoomCounts;

  constructor(account: AccountId | null, now: number, counts: RoomCounts) {
    this.#counts = counts;
    this.account = account;
    this.awaySince = now;
  }

  /** A socket that knows nothing of what was before. */
  beginEpoch(): void {
    this.epoch = randomBytes(9).toString('base64url');
    this.got = 0;
    this.log = new SentLog();
    this.rate = new MessageRate(performance.now());
  }

  /** Keeps a frame for the member, and sends it where there is a socket. */
  tell(frame: Frame): void {
    this.log.push(frame);
    if (this.socket !== null) this.#counts.delivered++;
    this.send(frame);
  }

  send({ bytes }: Frame): void {
    const { socket } = this;
    if (socket === null || socket.readyState !== socket.OPEN) return;
    socket.wire.write(bytes);
    // What it has not taken by now it is sent again when it comes back, as far as it is kept.
    if (socket.bufferedAmount <= roomLimits.waitingBytes) return;
    this.#counts.ended('slow');
    socket.terminate();
  }

  sendText(text: string): void {
    this.send({ bytes: wireFrame(text) });
  }
}
