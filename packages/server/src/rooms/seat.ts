import { randomBytes } from 'node:crypto';
import { roomLimits } from '@spaceport/contract/room-protocol';
import type { AccountId } from '../platform/db/ids.ts';
import { MessageRate } from './message-rate.ts';
import type { RoomCounts } from './room-counts.ts';
import { type Frame, SentLog } from './sent-log.ts';
import { type MemberSocket, wireFrame } from './wire-frame.ts';

/** A player whom a ticket lets in. */
export interface Comer {
  /** The name by which the space knows the player. */
  readonly id: string;
  readonly handle: string | null;
  /** Null for a guest. */
  readonly account: AccountId | null;
}

/** A member's place in a room, with or without a socket. */
export class Seat {
  account: AccountId | null;
  socket: MemberSocket | null = null;
  /** When the socket broke, in epoch milliseconds. */
  awaySince: number;
  /** The number of frames received from the member in this epoch. */
  got = 0;
  /** Counts are per epoch: each load of the page begins another one. */
  epoch = randomBytes(9).toString('base64url');
  /**
   * The version of the state that the member has from an earlier process and is asked for; null if it
   * has none, or has sent it.
   */
  brings: number | null = null;
  log = new SentLog();
  rate = new MessageRate(performance.now());
  /** When the last frame came, by `performance.now()`. */
  heardAt = performance.now();

  readonly #counts: RoomCounts;

  constructor(account: AccountId | null, now: number, counts: RoomCounts) {
    this.#counts = counts;
    this.account = account;
    this.awaySince = now;
  }

  /** Begins an epoch, for a socket that knows nothing of earlier frames. */
  beginEpoch(): void {
    this.epoch = randomBytes(9).toString('base64url');
    this.got = 0;
    this.log = new SentLog();
    this.rate = new MessageRate(performance.now());
  }

  /** Keeps a frame for the member, and sends it if there is a socket. */
  tell(frame: Frame): void {
    this.log.push(frame);
    if (this.socket !== null) this.#counts.delivered++;
    this.send(frame);
  }

  send({ bytes }: Frame): void {
    const { socket } = this;
    if (socket === null || socket.readyState !== socket.OPEN) return;
    socket.wire.write(bytes);
    // Frames that it has not received are sent again when it comes back, as far as they are kept.
    if (socket.bufferedAmount <= roomLimits.waitingBytes) return;
    this.#counts.ended('slow');
    socket.terminate();
  }

  sendText(text: string): void {
    this.send({ bytes: wireFrame(text) });
  }
}
