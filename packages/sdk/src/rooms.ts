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

  const enter = async (ticket: RoomTicket): Promise<Room> => {
    const room = await openRoom(ticket, () => ticketTo('join', { code: ticket.code })).catch(
      (error: unknown) => {
        backend.tell('roomLeft', []);
        throw error;
      },
    );
    room.on('closed', () => backend.tell('roomLeft', []));
    const changed = () => backend.tell('roomChanged', [room.members().length]);
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
