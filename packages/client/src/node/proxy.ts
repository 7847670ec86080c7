import { parseUrl } from '@spaceport/contract/parse-url';
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
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const [name, address] = firstOf(env, [`${scheme}_proxy`, 'all_proxy']);
  if (address === '' || isLocal(url.hostname) || isExcluded(url, firstOf(env, ['no_proxy'])[1])) return null;
  const whole = address.includes('://') ? address : `http://${address}`;
  const proxy = parseUrl(whole);
  if (proxy === null || !/^https?:$/u.test(proxy.protocol)) {
    if (name.toLowerCase() === 'all_proxy') return null;
    throw new Error(`${name} is not the address of an HTTP proxy, as http://proxy.example:3128 is`);
  }
  return proxy;
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

/** @param list of hosts, each with its subdomains and perhaps a port, or `*` for all of them */
function isExcluded({ protocol, hostname, port }: URL, list: string): boolean {
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/u)
    .some((entry) => {
      const [, name = '', only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/u.exec(entry) ?? [];
      if (entry === '*') return true;
      const isNamed = name !== '' && (hostname === name || hostname.endsWith(`.${name}`));
      return isNamed && (only === undefined || only === ownPort);
    });
}
