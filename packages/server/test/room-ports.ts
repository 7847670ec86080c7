import { setTimeout as pause } from 'node:timers/promises';
import { guestPlayer } from './played.ts';
import { rawRequest } from './raw-http.ts';
import { comeIn, originOf, type RoomMember, ticketTo, type Way } from './room-member.ts';
import type { TestService } from './service.ts';

/** A guest whose calls and sockets use one port: of a node, or of a server with several processes. */
export interface GuestAt {
  /** The guest's key, which is the same at every port. */
  readonly key: string;
  enter(way: Way): Promise<RoomMember>;
  /** Comes back as the module does: asks until a process has the room. */
  comeBack(before: RoomMember): Promise<RoomMember>;
}

export function guestAt(
  service: TestService,
  { slug, port, key: given }: { slug: string; port: number; key?: string | undefined },
): GuestAt {
  const { baseUrl } = service;
  const guest = guestPlayer({ baseUrl, get: (url, options) => rawRequest(port, url, options) }, given);
  const comeWith = async (way: Way, before?: RoomMember) =>
    comeIn(await ticketTo(guest, slug, way), originOf(service, slug), before, port);
  return {
    key: guest.key,
    enter: comeWith,
    async comeBack(before) {
      for (;;) {
        try {
          return await comeWith({ how: 'join', code: before.ticket.code }, before);
        } catch {
          await pause(50);
        }
      }
    },
  };
}
