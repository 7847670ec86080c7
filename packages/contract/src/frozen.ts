import type { SpaceState } from './spaces.ts';

/** Returns whether operators keep the space from changes: its owner can read it, and nothing more. */
export function isFrozen({ state }: { readonly state: SpaceState }): boolean {
  return state === 'held' || state === 'removed';
}
