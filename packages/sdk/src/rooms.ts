import type { Calls, RoomTicket } from '@spaceport/contract/sdk-protocol';
import type { Backend } from './backend.ts';
import { openRoom } from './room.ts';
import type { Room, Spaceport } from './types.ts';

export type EnteredRooms = Pick<Spaceport['rooms'], 'create' | 'join' | 'quick'>;

/** Events after which the page shows other members beside the space. */
const changes = ['join', 'leave', 'host'] as const;

/** The space's rooms. The page gets the tickets to them. */
export function createRooms(backend: Pick<Backend, 'call' | 'tell'>): EnteredRooms {
  const enter = async (...args: Calls['rooms.enter']['args']): Promise<Room> => {
    const ticket: RoomTicket = await backend.call('rooms.enter', args);
    const again = () => backend.call('rooms.enter', ['join', { code: ticket.code }]);
    const room = await openRoom(ticket, again).catch((error: unknown) => {
      backend.tell('roomLeft', []);
      throw error;
    });
    room.on('closed', () => backend.tell('roomLeft', []));
    const changed = () => backend.tell('roomChanged', [room.members().length]);
    for (const event of changes) room.on(event, changed);
    // Before its socket is open, the service does not count the player as a member.
    changed();
    return room;
  };
  return {
    create: (options = {}) => enter('create', options),
    join: (code) => enter('join', { code: String(code).trim().toUpperCase() }),
    quick: () => enter('quick', {}),
  };
}
