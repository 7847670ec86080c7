import { createCaller } from '@spaceport/client/caller';
import { forPeople } from './for-people.ts';

/**
 * Calls the API for the pages of players, which name the few operations that they need and do not carry the
 * rest. The browser sends its session. The server only renders, and makes no calls.
 */
export const caller = createCaller({
  baseUrl: globalThis.location?.origin ?? 'http://localhost',
  retry: forPeople,
});
