import type { AccountId } from '../platform/db/ids.ts';
import type { RoomRecord } from '../platform/db/schema.ts';
import type { PlayedSpace } from '../player-calls/played-space.ts';
import type { KnownCaller } from '../player-calls/writers.ts';

/** Finds the names by which a space knows players. */
export interface Names {
  readonly nameIn: (caller: KnownCaller, played: PlayedSpace) => Promise<string>;
  /** Returns the names of the guests whom an account has adopted. */
  readonly guestNamesIn: (account: AccountId, played: PlayedSpace) => Promise<readonly string[]>;
}

/**
 * Returns the name by which the player is or will be a member of a room. Who signs in inside a room stays the member
 * that the guest was, also when the socket breaks: else a reconnect would be another player, for whom there may be
 * no place.
 */
export async function memberName(
  { nameIn, guestNamesIn }: Names,
  caller: KnownCaller,
  played: PlayedSpace,
  members: RoomRecord['members'],
): Promise<string> {
  if (caller.kind === 'account') {
    const known = members.find(({ account }) => account === caller.playerId);
    if (known) return known.id;
    if (members.some(({ account }) => account === null)) {
      const guests = new Set(await guestNamesIn(caller.playerId, played));
      const guest = members.find(({ id }) => guests.has(id));
      if (guest) return guest.id;
    }
  }
  return nameIn(caller, played);
}
