import { pagePathOf } from '@spaceport/contract/content-labels';
import { invitationTo } from '@spaceport/contract/invitation';
import type { Room } from '../types.ts';
import type { ShimHost } from './shim-host.ts';

export type Params = Readonly<Record<string, unknown>>;

/**
 * Links to the space's page, with parameters for the game, and with the code of the room that the game is in.
 */
export interface Links {
  /** Address of the space's page. */
  readonly page: string;
  to(params?: Params | null): string;
}

export function createLinks({ spaceport, served, frame }: ShimHost): Links {
  const page = served.app + pagePathOf(frame.location.hostname.split('.')[0] ?? '');
  const roomNow = watchRooms(spaceport.rooms);
  return {
    page,
    to: (params) => {
      const query = new URLSearchParams(textsOf(params)).toString();
      return invitationTo(page, { room: roomNow()?.code ?? null, query });
    },
  };
}

/** Returns parameters as texts, as an address has them. */
export function textsOf(params: Params | null | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]));
}

/** Returns a function that gives the room that the game is in, or null. */
function watchRooms(rooms: ShimHost['spaceport']['rooms']): () => Room | null {
  let now: Room | null = null;
  const seen =
    <Given extends unknown[]>(enter: (...given: Given) => Promise<Room>) =>
    async (...given: Given) => {
      const room = await enter(...given);
      now = room;
      room.on('closed', () => {
        if (now === room) now = null;
      });
      return room;
    };
  rooms.create = seen(rooms.create);
  rooms.join = seen(rooms.join);
  rooms.quick = seen(rooms.quick);
  return () => now;
}

/** Returns the query that the page was opened with. */
export function queryOf({ location }: Pick<Window, 'location'>): Map<string, string> {
  return new Map(new URLSearchParams(location.search));
}
