import { enterRoom, readRoom } from '@spaceport/contract/rooms';
import type { RoomTicket } from '@spaceport/contract/sdk-protocol';
import { wrong } from './arguments.ts';
import { createLobby } from './lobby.ts';
import { type Play, stageClient } from './play.ts';
import type { StageRoom, StageStore } from './stage-state.ts';

export interface StageRooms {
  /** Gets a ticket to a room, with which the frame opens its socket. */
  enter(how: string, more: Readonly<Record<string, unknown>>): Promise<RoomTicket>;
  /**
   * Called when the frame reports that the player is in a room, or a change of its members. Until the service
   * knows as many members as it reports, they are read a few more times. The values are not trusted. Without a
   * code it is the room that is shown.
   */
  changed(members: unknown, code?: unknown): void;
  /** Called when the player has left a room; without a code, all rooms. The code is not trusted. */
  left(code?: unknown): void;
  /** Sets whether open rooms are shown while the player is in none. */
  lobby(isOn: boolean): void;
}

export interface RoomsOptions {
  readonly space: string;
  readonly play: Play;
  readonly store: StageStore;
}

interface EnteredHere extends Omit<StageRoom, 'inside'> {
  /** How many members the frame has reported; undefined before its socket is open. */
  reported?: unknown;
}

const ways = ['create', 'join', 'quick'] as const;
/**
 * Delay before the members are read: the service writes them shortly after the event, and many may join at
 * once. A busy service may write them seconds later, so after each read that is too early the delay is doubled.
 */
const readAfterMs = 500;
const mostReads = 5;

/**
 * Returns the calls for the space's rooms. The page's own display of rooms comes from the service, not from
 * the frame.
 */
export function createStageRooms({ space, play, store }: RoomsOptions): StageRooms {
  /** The rooms that the player is in, by code, in the order in which they were entered. */
  const entered = new Map<unknown, EnteredHere>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether a change waits for its read. */
  let hasChanged = false;
  let leaving = new AbortController();
  const lobby = createLobby({ space, play, store });

  /** Shows the room that was entered last, of those that the player is in. */
  function show(): void {
    const last = [...entered.values()].at(-1);
    if (last?.code === store.get().room?.code) return;
    // The service answers only members, and a refusal would be in the console.
    clearTimeout(timer);
    hasChanged = false;
    leaving.abort();
    leaving = new AbortController();
    if (last) {
      store.set({ room: { code: last.code, link: last.link, inside: null } });
      if (last.reported !== undefined) readSoon();
    } else {
      store.set({ room: null });
      lobby.look();
      // By then the service has written that the room has a free place again.
      setTimeout(lobby.look, readAfterMs);
    }
  }

  function readSoon(): void {
    if (hasChanged) return;
    hasChanged = true;
    readAfter(readAfterMs, mostReads);
  }

  function readAfter(delayMs: number, reads: number): void {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      hasChanged = false;
      const isThere = await read();
      if (!isThere && !hasChanged && reads > 1) readAfter(2 * delayMs, reads - 1);
    }, delayMs);
  }

  /** Shows the members. Returns whether there are as many as reported, or the player has left meanwhile. */
  async function read(): Promise<boolean> {
    const code = store.get().room?.code;
    if (code === undefined) return true;
    const input = { params: { code }, query: { space } };
    const options = { headers: play.headers(), signal: leaving.signal };
    const inside = await stageClient.call(readRoom, input, options).catch(() => null);
    const { room } = store.get();
    if (room?.code !== code) return true;
    if (inside === null) return false;
    store.set({ room: { ...room, inside } });
    return inside.members.length === entered.get(code)?.reported;
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
      const ticket = await play.asPlayer((headers) => stageClient.call(enterRoom, { body }, { headers }));
      // Another ticket to the same room is for a socket that broke.
      if (!entered.has(ticket.code)) entered.set(ticket.code, { code: ticket.code, link: ticket.link });
      show();
      return ticket;
    },
    changed(members, code = store.get().room?.code) {
      const room = entered.get(code);
      if (room === undefined) return;
      room.reported = members;
      if (code === store.get().room?.code) readSoon();
    },
    left(code) {
      if (code === undefined) entered.clear();
      else entered.delete(code);
      show();
    },
    lobby: lobby.show,
  };
}
