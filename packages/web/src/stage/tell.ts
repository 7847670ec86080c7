import { createClient } from '@spaceport/client/client';

/** Calls that a page may still make while it goes away. */
export const tellClient = createClient({
  baseUrl: globalThis.location?.origin ?? 'http://localhost',
  retry: false,
  timeoutMs: 20_000,
  fetch: (url, init) => globalThis.fetch(url, { ...init, keepalive: true }),
});
