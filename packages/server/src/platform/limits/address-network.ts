import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What an address is counted by: the whole of an IPv4 address, the /64 of an IPv6 one, which is what one household or
 * server usually has to itself.
 */
export function networkOf(address: string): string {
  // As most come, and what each request asks for: without the pattern of an IPv6 address.
  if (!address.includes(':') || !isIPv6(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
