import { createCaller } from '@spaceport/client/caller';

/** A client for calls that a closing page may still make. */
export const keepaliveClient = createCaller({
  baseUrl: globalThis.location?.origin ?? 'http://localhost',
  retry: false,
  timeoutMs: 20_000,
  fetch: (url, init) => globalThis.fetch(url, { ...init, keepalive: true }),
});
