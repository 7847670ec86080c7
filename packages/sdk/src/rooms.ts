import type { Calls, RoomTicket } from '@spaceport/contract/sdk-protocol';
import type { Backend } from './backend.ts';
import { isFault } from './faults.ts';
import { openRoom } from './room.ts';
import type { Room, Spaceport } from './types.ts';

export type EnteredRooms = Pick<Spaceport['rooms'], 'create' | 'join' | 'quick'>;

/** Events after which the page shows other members beside the space. */
const changes = ['join', 'leave', 'host'] as const;
const mostMatches = 3;

/** The space's rooms. The page gets the tickets to them. */
export function createRooms(backend: Pick<Backend, 'call' | 'tell'>): EnteredRooms {
  const ticketTo = (...args: Calls['rooms.enter']['args']): Promise<RoomTicket> =>
    backend.call('rooms.enter', args);

  /** The last ticket to each room. */
  const entered = new Map<string, RoomTicket>();

  const enter = async (ticket: RoomTicket): Promise<Room> => {
    const { code } = ticket;
    entered.set(code, ticket);
    let isLeft = false;
    const left = () => {
      isLeft = true;
      // A player who enters a room again leaves it by the earlier ticket, and is still in it.
      if (entered.get(code) === ticket) backend.tell('roomLeft', [code], code);
    };
    const again = async () => {
      const next = await ticketTo('join', { code });
      // By its ticket, the page has taken the player for a member again.
      if (isLeft) left();
      return next;
    };
    const room = await openRoom(ticket, again).catch((error: unknown) => {
      left();
      throw error;
    });
    room.on('closed', left);
    const changed = () => backend.tell('roomChanged', [room.members().length, code], code);
    for (const event of changes) room.on(event, changed);
    // Before its socket is open, the service does not count the player as a member.
    changed();
    return room;
  };

  /** Others may fill, lock or end the room between its ticket and its socket: then another one is asked for. */
  const match = async (matches = 1): Promise<Room> => {
    const ticket = await ticketTo('quick', {});
    try {
      return await enter(ticket);
    } catch (error) {
      if (matches === mostMatches || !isFault(error) || error.code !== 'closed') throw error;
      return match(matches + 1);
    }
  };

  return {
    create: async (options = {}) => enter(await ticketTo('create', options)),
    join: async (code) => enter(await ticketTo('join', { code: String(code).trim().toUpperCase() })),
    quick: () => match(),
  };
}
