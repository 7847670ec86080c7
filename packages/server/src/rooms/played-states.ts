import type { Env, SpacesTable } from '../platform/db/schema.ts';

/** Whether a space in this state is played now: what is offline or unlisted, in its sandbox alone. */
export function isPlayed(state: SpacesTable['state'], env: Env): boolean {
  return state === 'listed' || (env === 'sandbox' && (state === 'unlisted' || state === 'offline'));
}
