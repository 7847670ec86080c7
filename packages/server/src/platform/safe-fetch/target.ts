import { isIP } from 'node:net';

/** Where a connection goes: a host as `URL.hostname` writes it (without brackets), and a port. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

const hostAndPort = /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\]+):(\d{1,5})$/iu;

/** Reads `host:port` (an IPv6 host in brackets) the way a URL would; null where it is not that. */
export function parseTarget(text: string): Target | null {
  const [, host, digits] = hostAndPort.exec(text) ?? [];
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535 || !URL.canParse(`http://${host}/`)) return null;
  return { host: bareHost(new URL(`http://${host}/`)), port };
}

export function targetOf(url: URL): Target {
  return { host: bareHost(url), port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
}

/** `example.com.` is `example.com` to the DNS, so it is to every rule here. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
}

/** `host:port`, IPv6 in brackets: one spelling for one target. */
export function targetKey({ host, port }: Target): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** The host as a Host header has it; without the scheme, both default ports are left out. */
export function hostHeader(target: Target): string {
  return targetKey(target).replace(/:(?:80|443)$/u, '');
}
