import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { parseTarget, type Target, targetKey } from './target.ts';

/** The hosts that a request may name, and the addresses that it may then connect to. */
export interface TargetRule {
  /** Decided from the name alone, without DNS, so that the result tells nothing about any network. */
  mayName(target: Target): boolean;
  mayConnect(address: string, target: Target): boolean;
}

export interface TargetRuleOptions {
  /** FETCH_ALLOW: `host:port` entries that are allowed, private or not, for exactly that host and port. */
  readonly allow: readonly string[];
  /** Returns whether a host (lower case, without a port: only 80 and 443 get here) is one of our own. */
  readonly ownHosts: (host: string) => boolean;
}

/** @throws if an entry of `allow` is not `host:port` */
export function targetRule({ allow, ownHosts }: TargetRuleOptions): TargetRule {
  const allowed = new Set(allow.map(allowKey));
  const isAllowed = (target: Target) => allowed.has(targetKey(target));
  return {
    mayName: (target) =>
      isAllowed(target) || (isWebPort(target.port) && isListedName(target.host) && !ownHosts(target.host)),
    mayConnect: (address, target) => isAllowed(target) || isPublicAddress(address),
  };
}

function allowKey(entry: string): string {
  const target = parseTarget(entry);
  if (!target) throw new Error(`FETCH_ALLOW has ${JSON.stringify(entry)}, which is not host:port`);
  return targetKey(target);
}

function isWebPort(port: number): boolean {
  return port === 80 || port === 443;
}

/**
 * Top-level names that are not on the public web: RFC 6761 and 6762, 7686 (onion), 8375 (home.arpa), 9476
 * (alt), ICANN's private-use `internal`, and those that RFC 6762 appendix G and reports of name collisions
 * find on private networks.
 */
const reservedNames = new Set(
  `alt arpa corp domain example home internal intranet invalid lan local localdomain localhost mail
  onion private test workgroup`.split(/\s+/u),
);
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/u;

/**
 * Returns whether the host is a name of at least two labels under a public top-level name. An IP address is
 * not.
 */
function isListedName(host: string): boolean {
  if (isIP(host) !== 0 || host.length > 253) return false;
  const labels = host.split('.');
  const top = labels.at(-1) ?? '';
  return labels.length > 1 && labels.every((name) => label.test(name)) && !reservedNames.has(top);
}
