import { createClient } from '@spaceport/client/client';
import { forPeople } from './for-people.ts';

// The browser sends its session. The server only renders, and makes no calls.
const baseUrl = globalThis.location?.origin ?? 'http://localhost';

/** The API client of the page. */
export const client = createClient({ baseUrl, retry: forPeople });

/** For publishing, which says itself what it waits for. */
export const patientClient = createClient({ baseUrl });
