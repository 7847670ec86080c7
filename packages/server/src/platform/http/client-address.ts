import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The proxies in front of the service (TRUST_PROXY): none, a number of them in a chain, or those in a list of
 * addresses and networks.
 */
export type TrustedProxies = false | number | readonly string[];

/** Returns the client address of a request, as far as trusted proxies tell it. */
export type ClientAddress = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string;

type Trusts = (address: string, hop: number) => boolean;

/**
 * Each proxy appends the address of its client to X-Forwarded-For. So the end of the list is true as far as
 * the proxies are ours: the client is the last address that is not of a trusted proxy. Anybody may have
 * written the entries before it.
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

/**
 * Returns whether the connection comes from one of our own proxies; null if TRUST_PROXY is a number, which
 * does not tell.
 */
export function isProxy(proxies: TrustedProxies, address: string): boolean | null {
  if (typeof proxies === 'number') return null;
  return trustIn(proxies)(plainAddress(address) ?? '', 0);
}

/**
 * Returns whether there is a proxy that no setting names: the service itself speaks plain http only. All clients
 * then seem to be that proxy, and share the limits of one address.
 */
export function hasUnnamedProxy({
  BASE_URL,
  TRUST_PROXY,
}: {
  readonly BASE_URL: string;
  readonly TRUST_PROXY: TrustedProxies;
}): boolean {
  return BASE_URL.startsWith('https:') && (TRUST_PROXY === false || TRUST_PROXY === 0);
}

const forwardingHeaders = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'via',
];

/** Returns whether any proxy forwarded the request, also one that is not in the settings. */
export function wasForwarded(headers: IncomingMessage['headers']): boolean {
  return forwardingHeaders.some((name) => headers[name] !== undefined);
}

/**
 * Parses an address or a network (`10.0.0.0/8`) into its first address and prefix length. Returns null for
 * anything else.
 */
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

/**
 * Returns the address without the brackets and port that some proxies add, and a mapped IPv4 address as IPv4.
 * Returns null if it is not an address.
 */
function plainAddress(text: string): string | null {
  // The common case: an IPv4 address has only one spelling.
  if (isIPv4(text)) return text;
  const bare = text.trim().replace(/^\[(.+)\](?::\d+)?$/u, '$1');
  const address = isIP(bare) === 0 ? bare.replace(/:\d+$/u, '') : bare;
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}
