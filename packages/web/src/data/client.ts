import { createClient } from '@spaceport/client/client';

/** The API in the name of whoever is signed in here: the browser sends its session. A server only draws, and calls nothing. */
export const client = createClient({ baseUrl: globalThis.location?.origin ?? 'http://localhost' });
