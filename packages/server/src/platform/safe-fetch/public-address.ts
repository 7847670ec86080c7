import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Returns whether an address (the text that a resolver gives) belongs to the public Internet: global unicast,
 * in no special-purpose range of the IANA registries (RFC 6890 and later). Text that is not exactly an
 * address, or has a zone, does not.
 *
 * An IPv4 address inside IPv6 is unwrapped if a packet really goes to that IPv4 host: mapped (::ffff:0:0/96),
 * and the well-known NAT64 prefix (64:ff9b::/96, which a DNS64 network returns for most of the web). All
 * other embeddings (v4-compatible, SIIT, local NAT64 64:ff9b:1::/48, 6to4, Teredo) are refused: no page lives
 * there, and we cannot know where a relay would send the packet.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  // ipaddr.js also reads octal, hexadecimal and short forms, so it only gets what node:net accepts as an
  // address.
  if (family === 4) return isPublicV4(ipaddr.IPv4.parse(address));
  if (family === 6 && !address.includes('%')) return isPublicV6(parseV6(address));
  return false;
}

/**
 * Goes through URL, which writes the address in hexadecimal: ipaddr.js takes ::1.2.3.4 for ::ffff:1.2.3.4.
 */
function parseV6(address: string): ipaddr.IPv6 {
  return ipaddr.IPv6.parse(new URL(`http://[${address}]/`).hostname.slice(1, -1));
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  // `unicast` is ipaddr.js's name for addresses in none of its special ranges.
  return address.range() === 'unicast';
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  if (inRange(address, mappedRange) || inRange(address, nat64Range)) return isPublicV4(lastV4(address));
  if (!inRange(address, globalUnicastRange) || address.range() !== 'unicast') return false;
  return !isIsatap(address) || isPublicV4(lastV4(address));
}

/** RFC 5214 §6.1: the interface id 0000:5efe or 0200:5efe, then the IPv4 address, under any prefix. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [high, low] = [address.parts[4], address.parts[5]];
  return (high === 0 || high === 0x0200) && low === 0x5efe;
}

function lastV4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

type Range = [ipaddr.IPv6, number];
const mappedRange: Range = [ipaddr.IPv6.parse('::ffff:0:0'), 96];
const nat64Range: Range = [ipaddr.IPv6.parse('64:ff9b::'), 96];
/** RFC 4291 §2.4 and the IANA registry: nothing outside 2000::/3 has been assigned. */
const globalUnicastRange: Range = [ipaddr.IPv6.parse('2000::'), 3];

function inRange(address: ipaddr.IPv6, [network, bits]: Range): boolean {
  return address.match(network, bits);
}
