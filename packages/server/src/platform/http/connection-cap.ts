import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../limits/address-network.ts';
import { isProxy, type TrustedProxies } from './client-address.ts';

export interface ConnectionCap {
  /** Connections that one address (of IPv6, one /64) may hold at once; 0 for any number. */
  readonly perAddress: number;
  readonly proxies: TrustedProxies;
  /** Called at the first connection of an address that is refused. */
  readonly onRefused: (network: string) => void;
}

/**
 * Refuses the connections that are one address's too many. Those of our own proxies are everybody's, and not counted; where
 * a number of hops is all that is known of them, none is.
 */
export function capConnections(server: Server, { perAddress, proxies, onRefused }: ConnectionCap): void {
  if (perAddress === 0 || typeof proxies === 'number') return;
  const held = new Map<string, number>();
  const refusing = new Set<string>();
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(proxies, address)) return;
    const network = networkOf(address);
    const count = held.get(network) ?? 0;
    if (count >= perAddress) {
      if (!refusing.has(network)) onRefused(network);
      refusing.add(network);
      socket.destroy();
      return;
    }
    held.set(network, count + 1);
    socket.once('close', () => {
      const left = (held.get(network) ?? 1) - 1;
      if (left > 0) held.set(network, left);
      else held.delete(network);
      if (left < perAddress / 2) refusing.delete(network);
    });
  });
}
