import { createClient } from '@spaceport/client/client';

/** The API as whoever is signed in here: the browser sends its session along. A server only draws: it calls nothing. */
export const client = createClient({ baseUrl: globalThis.location?.origin ?? 'http://localhost' });
