import type { Held } from '../processes/counts.ts';
import type { Together } from '../processes/together.ts';

/**
 * Holds an amount of something that all processes of a server share, if all of `of` have room.
 * @returns a function that releases it, and may be called repeatedly; null if there is no room
 */
export function holdShared(
  together: Pick<Together, 'count'>,
  limit: string,
  of: readonly Held[],
  amount: number,
): (() => void) | null | Promise<(() => void) | null> {
  const held = together.count({ do: 'hold', limit, of, amount });
  let isHeld = true;
  const letGo = () => {
    if (!isHeld) return;
    isHeld = false;
    const released = together.count({ do: 'release', limit, of, amount });
    // Nobody waits for the release. If the primary is gone, it holds nothing any more.
    if (typeof released !== 'number') released.catch(() => {});
  };
  if (typeof held === 'number') return held === 1 ? letGo : null;
  return held.then((has) => (has === 1 ? letGo : null));
}
