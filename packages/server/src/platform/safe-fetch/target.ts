import { isIP } from 'node:net';

/** The target of a connection: a host as `URL.hostname` writes it (without brackets), and a port. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

const hostAndPort = /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\]+):(\d{1,5})$/iu;

/** Parses `host:port` (an IPv6 host in brackets) as a URL would; null if it is something else. */
export function parseTarget(text: string): Target | null {
  const [, host, digits] = hostAndPort.exec(text) ?? [];
  const port = Number(digits);
  const url = host === undefined ? null : URL.parse(`http://${host}/`);
  return url === null || port < 1 || port > 65_535 ? null : { host: bareHost(url), port };
}

export function targetOf(url: URL): Target {
  return { host: bareHost(url), port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
}

/** In DNS, `example.com.` is `example.com`, so it is here too. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
}

/** Returns `host:port`, with IPv6 in brackets: the same text for the same target. */
export function targetKey({ host, port }: Target): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Returns the host as in a Host header. The scheme is not known, so both default ports are left out. */
export function hostHeader(target: Target): string {
  return targetKey(target).replace(/:(?:80|443)$/u, '');
}
