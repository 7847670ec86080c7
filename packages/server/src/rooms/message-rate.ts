import { roomLimits } from '@spaceport/contract/room-protocol';

/** Networks hold messages back and let them go together. */
const atOnce = 2 * roomLimits.messagesPerSecond;

/** How many messages a member may send now. Instants are those of `performance.now()`. */
export class MessageRate {
  #left = atOnce;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  /** What was sent while nobody listened comes all at once: as much as could be said in that time. */
  allow(owed: number, awayMs: number): void {
    const most = (Math.min(awayMs, roomLimits.awayMs) / 1_000) * roomLimits.messagesPerSecond;
    this.#left += Math.min(Math.max(0, owed), most);
  }

  /** False for one that is too many. */
  take(now: number): boolean {
    const earned = ((now - this.#at) / 1_000) * roomLimits.messagesPerSecond;
    // What was allowed above the usual is kept until it is used.
    if (this.#left < atOnce) this.#left = Math.min(atOnce, this.#left + earned);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
