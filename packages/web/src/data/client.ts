import { createClient } from '@spaceport/client/client';

/** The API as whoever is signed in here: the browser sends its session along. */
export const client = createClient({ baseUrl: location.origin });
