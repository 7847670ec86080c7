import type { Seat } from '@spaceport/contract/fits';
import { useSyncExternalStore } from 'preact/compat';

const never = () => () => {};

/**
 * Returns whether the reader's device, as found by early.ts, is one of these. Returns true while the server
 * renders, because it cannot know.
 */
export function useFits(seats: readonly Seat[]): boolean {
  return useSyncExternalStore(
    never,
    () => {
      const { seat } = document.documentElement.dataset;
      return seat === undefined || seats.some((each) => each === seat);
    },
    () => true,
  );
}
