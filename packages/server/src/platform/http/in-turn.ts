import { networkOf } from '../limits/address-network.ts';
import type { ClientAddress } from './client-address.ts';
import type { RequestHandler } from './listener.ts';
import { requestTurns } from './loop-turns.ts';

/**
 * Makes requests that cost more than a file from memory take turns, so that many of them at once delay nobody
 * else.
 */
export function inTurn(handle: RequestHandler, clientAddress: ClientAddress): RequestHandler {
  return (request, response) =>
    requestTurns.take(
      () => networkOf(clientAddress(request)),
      () => {
        if (!response.destroyed) handle(request, response);
      },
    );
}
