import { handedQuery } from '@spaceport/contract/invitation';
import { roomCodePattern } from '@spaceport/contract/room-protocol';
import { latePart } from './late-part.ts';
import type { RoomsOptions, StageRooms } from './rooms.ts';

/** The calls for the space's rooms. Their script is loaded when the space enters one, or shows open ones. */
export function createLateRooms(options: RoomsOptions): StageRooms & { invite(given: unknown): void } {
  const { store } = options;
  let isUsed = false;
  const load = latePart(async () => (await import('./rooms.ts')).createStageRooms(options));
  const rooms = () => {
    isUsed = true;
    return load();
  };
  /** In the order of the calls. Without the script there is no room. */
  const tell = (say: (there: StageRooms) => void) => void rooms().then(say, () => {});
  return {
    enter: async (how, more) => (await rooms()).enter(how, more),
    changed: (...given) => isUsed && tell((there) => there.changed(...given)),
    left: (code) => isUsed && tell((there) => there.left(code)),
    lobby: (isOn) => (isUsed || isOn) && tell((there) => there.lobby(isOn)),
    /** Sets the query that an invitation passes to the space; no text means no invitation. */
    invite: (given) => store.set({ invitation: typeof given === 'string' ? handedQuery(given) : null }),
  };
}

/** Returns the room code in the page's address, or null. */
export function invitedTo(search: string): string | null {
  const code = new URLSearchParams(search).get('room')?.trim().toUpperCase() ?? '';
  return roomCodePattern.test(code) ? code : null;
}
