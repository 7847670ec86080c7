import type { Held } from '../processes/counts.ts';
import type { Together } from '../processes/together.ts';
import { type Soon, whenKnown } from '../when-known.ts';

/**
 * Holds an amount of something that all processes of a server share, if all of `of` have room.
 * @returns a function that releases it, and may be called repeatedly; null if there is no room
 */
export function holdShared(
  together: Pick<Together, 'count'>,
  limit: string,
  of: readonly Held[],
  amount: number,
): Soon<(() => void) | null> {
  const held = together.count({ do: 'hold', limit, of, amount });
  let isHeld = true;
  const letGo = () => {
    if (!isHeld) return;
    isHeld = false;
    const released = together.count({ do: 'release', limit, of, amount });
    // Nobody waits for the release. If the primary is gone, it holds nothing any more.
    if (typeof released !== 'number') released.catch(() => {});
  };
  return whenKnown(held, (has) => (has === 1 ? letGo : null));
}
