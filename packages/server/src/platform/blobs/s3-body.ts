import type { Readable } from 'node:stream';
import { StoreUnavailable } from './blob-store.ts';

/**
 * Makes a body that its bucket breaks off fail with an outage, by default of the store. The client's own errors look like
 * those of any connection, so that a database would be blamed, or whoever reads the body.
 */
export function tellingOutage(body: Readable, outage = storeBrokeOff): Readable {
  const destroy = body.destroy.bind(body);
  body.destroy = (error) => destroy(error && outage(error));
  return body;
}

function storeBrokeOff(cause: Error): StoreUnavailable {
  return new StoreUnavailable('the blob store broke off', { cause });
}
