import { roomCodePattern } from '@spaceport/contract/room-protocol';
import type { RoomTicket } from '@spaceport/contract/sdk-protocol';
import { wrong } from './arguments.ts';
import { type Play, stageClient } from './play.ts';

export interface StageRooms {
  /** A ticket to a room, for the frame to open its socket with. */
  enter(how: string, more: Readonly<Record<string, unknown>>): Promise<RoomTicket>;
}

const ways = ['create', 'join', 'quick'] as const;

/** Rooms of the space, for whoever plays. */
export function createStageRooms({
  space,
  play,
  onEntered,
}: {
  space: string;
  play: Play;
  onEntered: (room: { code: string; link: string }) => void;
}): StageRooms {
  return {
    async enter(given, { code, max, open }) {
      const how = ways.find((way) => way === given);
      if (how === undefined) throw wrong('how', `must be one of ${ways.join(', ')}`);
      if (code !== undefined && typeof code !== 'string') throw wrong('code', 'must be a text');
      if (max !== undefined && typeof max !== 'number') throw wrong('max', 'must be a number');
      if (open !== undefined && typeof open !== 'boolean') throw wrong('open', 'must be true or false');
      const body = {
        ...{ space, how },
        ...(code !== undefined && { code }),
        ...(max !== undefined && { max }),
        ...(open !== undefined && { open }),
      };
      const ticket = await stageClient.enterRoom({ body }, { headers: play.headers() });
      onEntered({ code: ticket.code, link: ticket.link });
      return ticket;
    },
  };
}

/** The code in the address of our page; null where there is none. */
export function invitedTo(search: string): string | null {
  const code = new URLSearchParams(search).get('room')?.trim().toUpperCase() ?? '';
  return roomCodePattern.test(code) ? code : null;
}
