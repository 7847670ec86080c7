import type { Env, SpacesTable } from '../platform/db/schema.ts';

/**
 * Returns whether a space in this state can be played. Offline and unlisted spaces can be
 * played only in their sandbox.
 */
export function isPlayed(state: SpacesTable['state'], env: Env): boolean {
  return state === 'listed' || (env === 'sandbox' && (state === 'unlisted' || state === 'offline'));
}
