import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Which proxies stand before the service (TRUST_PROXY): none, so many of them one behind the other, or those in a list
 * of addresses and networks.
 */
export type TrustedProxies = false | number | readonly string[];

/** The address that a request came from, as far as proxies that are trusted say so. */
export type ClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

type Trusts = (address: string, hop: number) => boolean;

/**
 * Each proxy appends the address it was asked from, so that the list is true from its end as far as the proxies are
 * ours: the client is the one before the last that is trusted, and what stands before it anybody may have written.
 */
export function createClientAddress(proxies: TrustedProxies): ClientAddress {
  const trusts = trustIn(proxies);
  return ({ socket, headers }) => {
    let address = plainAddress(socket.remoteAddress ?? '') ?? '';
    const given = String(headers['x-forwarded-for'] ?? '').split(',');
    for (let hop = 0; trusts(address, hop); hop++) {
      const before = plainAddress(given.pop() ?? '');
      if (before === null) break;
      address = before;
    }
    return address;
  };
}

/** Whether whoever is connected is one of our own proxies; null where a number of hops does not say. */
export function isProxy(proxies: TrustedProxies, address: string): boolean | null {
  if (typeof proxies === 'number') return null;
  return trustIn(proxies)(plainAddress(address) ?? '', 0);
}

const forwardingHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'via',
];

/** A proxy had its hand in it, also one that the settings know nothing of. */
export function wasForwarded(headers: IncomingMessage['headers']): boolean {
  return forwardingHeaders.some((name) => headers[name] !== undefined);
}

/** An address or a network (`10.0.0.0/8`), as its first address and its length; null for anything else. */
export function parseNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const [address = '', bits, ...more] = text.split('/');
  if (isIP(address) === 0 || more.length > 0) return null;
  const parsed = ipaddr.process(address);
  const whole = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return [parsed, whole];
  return /^\d{1,3}$/u.test(bits) && Number(bits) <= whole ? [parsed, Number(bits)] : null;
}

function trustIn(proxies: TrustedProxies): Trusts {
  if (proxies === false) return () => false;
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  const networks = proxies.map(parseNetwork).filter((network) => network !== null);
  return (address) => {
    if (isIP(address) === 0) return false;
    const parsed = ipaddr.process(address);
    return networks.some(([first, bits]) => parsed.kind() === first.kind() && parsed.match(first, bits));
  };
}

/** Without the brackets and the port that some proxies add, v4 as v4; null for what is no address. */
function plainAddress(text: string): string | null {
  // As most come: there is one way to write such an address.
  if (isIPv4(text)) return text;
  const bare = text.trim().replace(/^\[(.+)\](?::\d+)?$/u, '$1');
  const address = isIP(bare) === 0 ? bare.replace(/:\d+$/u, '') : bare;
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}
