import type { Seat } from '@spaceport/contract/fits';
import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * Whether a space that can be played at these seats can be at the reader's. True while a server draws, which cannot know;
 * early.ts has looked.
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
