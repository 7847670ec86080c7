import { address, count, port } from './config-parsers.ts';
import { setting } from './setting.ts';

/**
 * The settings of what players do together: rooms, with the addresses of the processes
 * that have them, and content.
 */
export const togetherSettings = {
  ROOM_TICKETS_PER_MINUTE: setting(
    count(1),
    '120',
    'Tickets to rooms that one player may ask for in a minute, those for coming back among them, and ten times as many from one network; each node counts its own.',
  ),
  ROOMS_MAX: setting(
    count(1),
    '2000',
    'Rooms that one process has at once. One network may have opened a quarter of them.',
  ),
  CONTENT_PER_HOUR: setting(count(0), '30', 'Things that one player may publish in an hour, in all spaces.'),
  CONTENT_PER_PLAYER: setting(count(1), '100', 'Things that one player may have published in one space.'),
  CONTENT_LIKES_PER_MINUTE: setting(
    count(1),
    '60',
    'Likes that one player may give or take back in a minute; each node counts its own.',
  ),
  NODE_ADDRESS: setting(
    address,
    ({ PORT }) => `127.0.0.1:${PORT}`,
    'Where other nodes reach this one. With several processes each has a port of its own on this host, which is then an address of the machine.',
  ),
  NODE_PORTS: setting(
    port,
    '0',
    'With several processes: the first of the ports at which each of them is reached by the others and by other nodes; 0 for any that are free.',
  ),
} as const;
