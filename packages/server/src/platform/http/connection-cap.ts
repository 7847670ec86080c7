import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../limits/address-network.ts';
import { newestOf } from '../limits/newest-of.ts';
import { holdShared } from '../limits/shared-holds.ts';
import type { Together } from '../processes/together.ts';
import { isProxy, type TrustedProxies } from './client-address.ts';

/** A refused address is reported again only after this many milliseconds without a refusal. */
const quietMs = 60_000;

export interface ConnectionCap {
  /** How many connections one address (for IPv6: one /64) may hold at once; 0 for no limit. */
  readonly perAddress: number;
  readonly proxies: TrustedProxies;
  readonly together: Pick<Together, 'count'>;
  /**
   * Called with an address whose connection is refused, unless another one of it was refused in the last
   * minute.
   */
  readonly onRefused: (network: string) => void;
}

/**
 * Refuses connections above the limit of their address. Connections of our own proxies carry everybody's
 * requests, and are not counted; if only the number of proxies is known, no connection is counted. With
 * several processes, a connection above the limit ends as soon as the others have answered.
 */
export function capConnections(
  server: Server,
  { perAddress, proxies, together, onRefused }: ConnectionCap,
): void {
  if (perAddress === 0 || typeof proxies === 'number') return;
  const refusing = newestOf<number>(1_000);
  const refuse = (socket: Socket, network: string) => {
    const before = refusing.get(network) ?? Number.NEGATIVE_INFINITY;
    const now = performance.now();
    refusing.set(network, now);
    socket.destroy();
    if (now - before > quietMs) onRefused(network);
  };
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(proxies, address)) return;
    const network = networkOf(address);
    const keep = (letGo: (() => void) | null) => {
      if (letGo === null) refuse(socket, network);
      else if (socket.destroyed) letGo();
      else socket.once('close', letGo);
    };
    const held = holdShared(together, 'connections', [{ name: network, most: perAddress }], 1);
    if (held instanceof Promise) held.then(keep, () => socket.destroy());
    else keep(held);
  });
}
