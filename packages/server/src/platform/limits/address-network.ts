import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The first part of addresses that have an IPv4 address as their second and third. */
const sixToFour = 0x2002;

/**
 * Returns the network that an address is counted by: a whole IPv4 address, or the /64 of an IPv6 address,
 * which one household or server usually has to itself.
 */
export function networkOf(address: string): string {
  // The common case, on the path of every request: it avoids the IPv6 pattern.
  if (!address.includes(':') || !isIPv6(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const [first, high = 0, low = 0] = parsed.parts;
  // With 6to4, each IPv4 address has 65,536 networks of its own (RFC 3056 §2).
  if (first === sixToFour) return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`;
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
