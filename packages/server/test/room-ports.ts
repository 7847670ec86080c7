import { setTimeout as pause } from 'node:timers/promises';
import { guestPlayer } from './played.ts';
import { rawRequest } from './raw-http.ts';
import { comeIn, originOf, type RoomMember, ticketTo, type Way } from './room-member.ts';
import type { TestService } from './service.ts';

/** A guest of a space whose calls and sockets go to one port: of a node, or of a server of several processes. */
export interface GuestAt {
  /** Who the guest is at another port too. */
  readonly key: string;
  enter(way: Way): Promise<RoomMember>;
  /** As the module does it: asks until there is a process that has the room. */
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
