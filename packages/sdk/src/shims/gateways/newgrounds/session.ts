import { randomName } from '../../../random-name.ts';
import { neutralPicture } from '../../picture.ts';
import type { ShimHost } from '../../shim-host.ts';
import { numberOf } from '../number-of.ts';
import { Refusal } from './refusal.ts';

/** The address to which a game sends its player to sign in. Our page's dialog opens instead. */
const passport = 'https://www.newgrounds.io/passport';

/**
 * The player in the form of a Newgrounds.io session. The page knows the player, so the session's id has no
 * meaning.
 */
export function createSession({ spaceport, frame }: ShimHost) {
  const id = randomName();
  let isEnded = false;
  const user = () => {
    const { id: player, handle, guest } = spaceport.player.get();
    if (guest || handle === null || isEnded) return null;
    const icons = { small: neutralPicture, medium: neutralPicture, large: neutralPicture };
    return { id: numberOf(player), name: handle, icons, supporter: false };
  };
  const { open } = frame;
  frame.open = (address, ...more) => {
    if (!String(address).startsWith(passport)) return open.call(frame, address, ...more);
    void spaceport.player.signIn().catch(() => {});
    return null;
  };
  return {
    id,
    start() {
      isEnded = false;
    },
    end() {
      isEnded = true;
    },
    user,
    mustBeUser() {
      const found = user();
      if (!found) throw new Refusal('loginRequired', 'The player is not signed in.');
      return found;
    },
    answer() {
      const found = user();
      const isOver = isEnded ? { expired: true } : { expired: false };
      return {
        session: { id, user: found, remember: false, ...isOver, ...(!found && { passport_url: passport }) },
      };
    },
  };
}
export type Session = ReturnType<typeof createSession>;
