import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { roomLimits, roomProtocol, ticketPrefix } from '@spaceport/contract/room-protocol';
import { WebSocketServer } from 'ws';
import { isBannedFrom } from '../boards/banned.ts';
import type { Platform } from '../platform/context.ts';
import { givenId, type RoomId } from '../platform/db/ids.ts';
import { fromJson } from '../platform/db/json.ts';
import type { Upgrades } from '../platform/http/listener.ts';
import { pathOf } from '../platform/http/path-of.ts';
import { hashSecret } from '../platform/secrets/secret.ts';
import type { LiveRoom } from './live-room.ts';
import type { OwnRooms } from './own-rooms.ts';
import { isPiped, pipeTo } from './pipe.ts';
import { type RefusedStatus, refuseUpgrade } from './refuse-upgrade.ts';
import type { RoomCounts } from './room-counts.ts';
import { findNode, type RoomRow, takeTicket } from './rooms.queries.ts';

const socketPath = /^\/api\/player\/rooms\/(room_[0-9a-z]{16})$/u;
const tellEveryMs = 60_000;
/** Enough for a whole state as JSON in JSON. Other long frames are refused after they are read. */
const mostBytes = 4 * roomLimits.stateBytes;

/** A request for a member's socket. */
interface AskedSocket {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export interface RoomUpgrades extends Upgrades {
  /** The number of sockets that this process pipes to other processes. */
  readonly piped: number;
  close(): void;
}

/**
 * Accepts the sockets of members: itself for rooms in this process, else by piping to the
 * process that has the room.
 */
export function createUpgrades(platform: Platform, own: OwnRooms, counts: RoomCounts): RoomUpgrades {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: mostBytes,
    handleProtocols: () => roomProtocol,
  });
  // Without a listener, the module answers in its own words.
  server.on('wsClientError', (_error, socket) => refuseUpgrade(socket, 400));
  const piped = new Set<Duplex>();

  const refuse = (socket: Duplex, status: RefusedStatus, why: string) => {
    counts.refused(why);
    refuseUpgrade(socket, status);
  };

  let toldAt = Number.NEGATIVE_INFINITY;
  /** Logs that another node names the address of this one as its own, so that its rooms cannot be reached. */
  function tellOfSameAddress(address: string | undefined): void {
    if (address !== own.address || performance.now() - toldAt < tellEveryMs) return;
    toldAt = performance.now();
    platform.log.warn(
      { address },
      'another node has the same NODE_ADDRESS: players on this node cannot enter its rooms',
    );
  }

  async function admit(asked: AskedSocket): Promise<void> {
    const { request, socket, head } = asked;
    const { database, clock } = platform;
    const id = roomOf(request);
    const room = id && (await own.read(id));
    if (!room) return refuse(socket, 404, 'not_found');
    const live = own.open(room);
    if (live === null) {
      const address = await findNode(database.db, room.node_id, clock.movedMs());
      if (isPiped(request)) tellOfSameAddress(address);
      if (isPiped(request) || address === undefined) return refuse(socket, 503, 'moved');
      piped.add(socket);
      socket.once('close', () => piped.delete(socket));
      return pipeTo(address, request, socket, head);
    }
    // While its ticket is used, the player keeps the room from ending with its last member.
    const arrived = live.arrivals.expect();
    await seat(asked, room, live).finally(arrived);
  }

  /** Uses the ticket, and opens the socket of a room in this process. */
  async function seat({ request, socket, head }: AskedSocket, room: RoomRow, live: LiveRoom): Promise<void> {
    const { database, clock } = platform;
    const ticket = ticketOf(request);
    const hash = ticket === null ? null : hashSecret(ticket);
    const found = hash && (await takeTicket(database.db, { hash, roomId: room.id, now: clock.now() }));
    if (!found) return refuse(socket, 401, 'ticket');
    const who = fromJson(found);
    if (!who.origins.includes(request.headers.origin ?? '')) return refuse(socket, 403, 'origin');
    // The player may have been banned or kicked since the ticket was given.
    if (await isBannedFrom(database, room.space_id, who.account)) return refuse(socket, 403, 'banned');
    const refusal = live.refusal(who.id);
    if (refusal !== null) return refuse(socket, 409, refusal);
    server.handleUpgrade(request, socket, head, (opened) =>
      live.welcome(Object.assign(opened, { wire: socket }), who),
    );
  }

  return {
    get piped() {
      return piped.size;
    },
    takes: (request) => request.method === 'GET' && roomOf(request) !== null,
    take(request, socket, head) {
      // An error means that the client has gone.
      socket.on('error', () => socket.destroy());
      if (platform.closing.aborted) return refuseUpgrade(socket, 503);
      admit({ request, socket, head }).catch((error) => {
        platform.log.warn({ err: error }, 'room socket not opened');
        refuseUpgrade(socket, 503);
      });
    },
    close() {
      for (const socket of piped) socket.destroy();
    },
  };
}

function roomOf({ url = '', headers }: IncomingMessage): RoomId | null {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return null;
  const id = socketPath.exec(pathOf(url))?.[1];
  return id === undefined ? null : givenId('room', id);
}

function ticketOf({ headers }: IncomingMessage): string | null {
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const ticket = protocols.find((name) => name.startsWith(ticketPrefix));
  return protocols.includes(roomProtocol) && ticket !== undefined ? ticket.slice(ticketPrefix.length) : null;
}
