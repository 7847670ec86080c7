import type { RoomEnding } from '@spaceport/contract/room-endings';

/** Counts what happened in the rooms of one process since it began. Each count costs only an addition. */
export class RoomCounts {
  /** The number of messages, values and host actions that members sent. */
  said = 0;
  /** The number of frames sent to members, once for each member with a socket. */
  delivered = 0;
  readonly #ended = new Map<RoomEnding, number>();
  readonly #refused = new Map<string, number>();

  /** Counts that a room has ended a member's socket. */
  ended(why: RoomEnding): void {
    this.#ended.set(why, (this.#ended.get(why) ?? 0) + 1);
  }

  /** Counts that a player got no ticket, or that a ticket opened no socket. */
  refused(why: string): void {
    this.#refused.set(why, (this.#refused.get(why) ?? 0) + 1);
  }

  get endings(): ReadonlyMap<RoomEnding, number> {
    return this.#ended;
  }

  get refusals(): ReadonlyMap<string, number> {
    return this.#refused;
  }
}
