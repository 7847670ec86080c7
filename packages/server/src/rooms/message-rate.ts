import { roomLimits } from '@spaceport/contract/room-protocol';

/** Networks delay messages and then deliver them together. */
const atOnce = 2 * roomLimits.messagesPerSecond;

/** Limits how many messages a member may send. Instants are those of `performance.now()`. */
export class MessageRate {
  #left = atOnce;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  /**
   * Allows for messages that were sent while there was no connection and arrive all at once: as many as the
   * usual rate gives for that time.
   */
  allow(owed: number, awayMs: number): void {
    const most = (Math.min(awayMs, roomLimits.awayMs) / 1_000) * roomLimits.messagesPerSecond;
    this.#left += Math.min(Math.max(0, owed), most);
  }

  /** Returns false for a message over the limit. */
  take(now: number): boolean {
    const earned = ((now - this.#at) / 1_000) * roomLimits.messagesPerSecond;
    // An allowance above the usual limit is kept until it is used.
    if (this.#left < atOnce) this.#left = Math.min(atOnce, this.#left + earned);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
