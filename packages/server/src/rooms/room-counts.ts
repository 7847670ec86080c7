import type { RoomEnding } from '@spaceport/contract/room-endings';

/** What happened in the rooms of one process since it began. Adding one is all that it costs. */
export class RoomCounts {
  /** What members said: messages, values of the state, and what hosts do. */
  said = 0;
  /** What members were told of it and of each other, once for each who had a socket. */
  delivered = 0;
  readonly #ended = new Map<RoomEnding, number>();
  readonly #refused = new Map<string, number>();

  /** A room has ended a member's socket. */
  ended(why: RoomEnding): void {
    this.#ended.set(why, (this.#ended.get(why) ?? 0) + 1);
  }

  /** Somebody got no ticket, or a ticket opened no socket. */
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
