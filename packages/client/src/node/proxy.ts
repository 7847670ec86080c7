import { parseUrl } from '@spaceport/contract/parse-url';
import { builtin } from './builtin.ts';

/** Environment variables, as `process.env` has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy that the environment names for an address, or null if it is asked directly: `HTTPS_PROXY`
 * and `HTTP_PROXY` by the scheme of the address, else `ALL_PROXY`, and not for what `NO_PROXY` lists; all of
 * them in lower case too, which goes first. This machine is never asked through a proxy, and an `ALL_PROXY` of
 * another kind (desktops set one of SOCKS for every program) is for programs that know it.
 * @throws Error if the variable is no address of an HTTP proxy
 */
export function proxyOf(url: URL, env: Variables): URL | null {
  const [name, address] = firstOf(env, namesFor(url.protocol));
  if (address === '' || isLocal(url.hostname) || isExcluded(url, firstOf(env, ['no_proxy'])[1])) return null;
  const whole = address.includes('://') ? address : `http://${address}`;
  const proxy = parseUrl(whole);
  if (proxy === null || !/^https?:$/u.test(proxy.protocol)) {
    if (name.toLowerCase() === 'all_proxy') return null;
    throw new Error(`${name} is not the address of an HTTP proxy, as http://proxy.example:3128 is`);
  }
  return proxy;
}

/** The way through a proxy has failed. The message names the proxy, without its credentials. */
export class ProxyError extends Error {
  /** The environment variable that names the proxy. */
  readonly variable: string;
  /** The host that was asked for. */
  readonly host: string;

  /** @param reason what happened, as the end of "the proxy proxy.example…" */
  constructor(proxy: URL, { protocol, hostname }: URL, reason: string) {
    super(`the proxy ${proxy.host}${reason}`);
    this.name = 'ProxyError';
    this.variable = firstOf(process.env, namesFor(protocol))[0];
    this.host = hostname;
  }
}

function namesFor(protocol: string): string[] {
  return [protocol === 'https:' ? 'https_proxy' : 'http_proxy', 'all_proxy'];
}

/** Returns the first variable that is set, in lower or upper case, with its value; `''` if none is. */
function firstOf(env: Variables, names: readonly string[]): [name: string, value: string] {
  for (const lower of names) {
    for (const name of [lower, lower.toUpperCase()]) {
      const value = env[name]?.trim();
      if (value) return [name, value];
    }
  }
  return ['', ''];
}

function isLocal(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|127\.[\d.]+|\[::1\])$/u.test(hostname);
}

/**
 * @param list of hosts, each with its subdomains, of addresses or of blocks of addresses (`10.0.0.0/8`), each perhaps
 * with a port; or `*` for all of them. An IPv6 address is written with brackets or without, as curl and Go take it.
 */
function isExcluded({ protocol, hostname, port }: URL, list: string): boolean {
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  const host = hostname.replace(/^\[|\]$|\.$/gu, '');
  return list
    .toLowerCase()
    .split(/[\s,]+/u)
    .some((entry) => {
      if (entry === '*') return true;
      const { name, only } = partsOf(entry);
      return (only === undefined || only === ownPort) && isNamed(host, name);
    });
}

function partsOf(entry: string): { name: string; only?: string | undefined } {
  const [, address, bits = '', ofAddress] = /^\[(.*)\](\/\d+)?(?::(\d+))?$/u.exec(entry) ?? [];
  if (address !== undefined) return { name: address + bits, only: ofAddress };
  // Without brackets no port can be told from the rest of an IPv6 address.
  if (/:.*:/u.test(entry)) return { name: entry };
  const [, name = '', only] = /^(?:\*?\.)?(.*?)\.?(?::(\d+))?$/u.exec(entry) ?? [];
  return { name, only };
}

/** @param name of a host, or an address or a block of addresses */
function isNamed(host: string, name: string): boolean {
  if (name === '') return false;
  const { isIP, BlockList } = builtin('node:net');
  if (isIP(host) === 0) return host === name || host.endsWith(`.${name}`);
  const [, start = '', bits] = /^([^/%]*)(?:\/(\d+))?$/u.exec(name) ?? [];
  if (isIP(start) === 0) return false;
  const all = isIP(start) === 6 ? 128 : 32;
  const prefix = Number(bits ?? all);
  if (prefix > all) return false;
  const block = new BlockList();
  block.addSubnet(start, prefix, familyOf(start));
  return block.check(host, familyOf(host));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
