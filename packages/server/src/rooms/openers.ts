import { roomLimits } from '@spaceport/contract/room-protocol';
import type { RoomId } from '../platform/db/ids.ts';

/** The share of a process's rooms that one network may have opened: it takes four networks to use them up. */
const shareOfNetwork = 1 / 4;

/** Which networks have opened the rooms of a process. It is kept in memory only. */
export class Openers {
  readonly #byNetwork = new Map<string, Map<RoomId, number>>();
  readonly #isLive: (id: RoomId) => boolean;
  readonly #now: () => number;
  readonly #most: number;

  /**
   * @param options.isLive tells whether the process has the room, which somebody has entered
   * @param options.rooms the most rooms of the process
   */
  constructor({ isLive, now, rooms }: { isLive: (id: RoomId) => boolean; now: () => number; rooms: number }) {
    this.#isLive = isLive;
    this.#now = now;
    this.#most = Math.ceil(rooms * shareOfNetwork);
  }

  /** Returns whether a network has opened all the rooms that it may. */
  isFull(network: string): boolean {
    this.#forgetEnded(network);
    return (this.#byNetwork.get(network)?.size ?? 0) >= this.#most;
  }

  note(network: string, id: RoomId): void {
    const rooms = this.#byNetwork.get(network) ?? new Map<RoomId, number>();
    this.#byNetwork.set(network, rooms.set(id, this.#now()));
  }

  /** Forgets the rooms that have ended, and those that nobody has entered with the first ticket. */
  sweep(): void {
    for (const network of this.#byNetwork.keys()) this.#forgetEnded(network);
  }

  #forgetEnded(network: string): void {
    const rooms = this.#byNetwork.get(network);
    if (!rooms) return;
    const before = this.#now() - roomLimits.ticketMs;
    for (const [id, at] of rooms) if (at < before && !this.#isLive(id)) rooms.delete(id);
    if (rooms.size === 0) this.#byNetwork.delete(network);
  }
}
