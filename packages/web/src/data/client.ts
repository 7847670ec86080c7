import { createClient } from '@spaceport/client/client';

/** The API client of the page. The browser sends its session. The server only renders, and makes no calls. */
export const client = createClient({ baseUrl: globalThis.location?.origin ?? 'http://localhost' });
