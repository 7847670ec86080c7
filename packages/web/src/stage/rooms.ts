import { handedQuery } from '@spaceport/contract/invitation';
import { roomCodePattern } from '@spaceport/contract/room-protocol';
import type { RoomTicket } from '@spaceport/contract/sdk-protocol';
import { wrong } from './arguments.ts';
import { createLobby } from './lobby.ts';
import { type Play, stageClient } from './play.ts';
import type { StageStore } from './stage-state.ts';

export interface StageRooms {
  /** A ticket to a room, for the frame to open its socket with. */
  enter(how: string, more: Readonly<Record<string, unknown>>): Promise<RoomTicket>;
  /** The frame has heard of somebody who came or went. */
  changed(): void;
  /** The player is in none any more. */
  left(): void;
  /** Whether open rooms are shown, while the player is in none. */
  lobby(isOn: boolean): void;
  /** What an invitation is to hand to the space; none is offered where it is no text. */
  invite(given: unknown): void;
}

const ways = ['create', 'join', 'quick'] as const;
/** The service writes who is in a room a moment after it told the members; and many may come at once. */
const readAfterMs = 500;

/** Rooms of the space, for whoever plays. What the page shows of them it asks the service, and not the frame. */
export function createStageRooms({
  space,
  play,
  store,
}: {
  space: string;
  play: Play;
  store: StageStore;
}): StageRooms {
  let isReading = false;
  const lobby = createLobby({ space, play, store });

  function readSoon(): void {
    if (isReading) return;
    isReading = true;
    setTimeout(async () => {
      isReading = false;
      const code = store.get().room?.code;
      if (code === undefined) return;
      const options = { params: { code }, query: { space } };
      const inside = await stageClient.readRoom(options, { headers: play.headers() }).catch(() => null);
      const { room } = store.get();
      if (inside !== null && room?.code === code) store.set({ room: { ...room, inside } });
    }, readAfterMs);
  }

  return {
    async enter(given, { code, max, open }) {
      const how = ways.find((way) => way === given);
      if (how === undefined) throw wrong('how', `must be one of ${ways.join(', ')}`);
      if (code !== undefined && typeof code !== 'string') throw wrong('code', 'must be a text');
      if (max !== undefined && typeof max !== 'number') throw wrong('max', 'must be a number');
      if (open !== undefined && typeof open !== 'boolean') throw wrong('open', 'must be true or false');
      const body = {
        space,
        how,
        ...(code !== undefined && { code }),
        ...(max !== undefined && { max }),
        ...(open !== undefined && { open }),
      };
      const ticket = await stageClient.enterRoom({ body }, { headers: play.headers() });
      const { room } = store.get();
      const inside = room?.code === ticket.code ? room.inside : null;
      store.set({ room: { code: ticket.code, link: ticket.link, inside } });
      readSoon();
      return ticket;
    },
    changed: readSoon,
    left() {
      store.set({ room: null });
      lobby.look();
    },
    lobby: lobby.show,
    invite: (given) => store.set({ invitation: typeof given === 'string' ? handedQuery(given) : null }),
  };
}

/** The code in the address of our page; null where there is none. */
export function invitedTo(search: string): string | null {
  const code = new URLSearchParams(search).get('room')?.trim().toUpperCase() ?? '';
  return roomCodePattern.test(code) ? code : null;
}
