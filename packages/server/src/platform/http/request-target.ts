import type { IncomingMessage } from 'node:http';

const absoluteForm = /^https?:\/\/([^/?#]*)([^#]*)/iu;

/**
 * Makes sure that a request names one host, in its Host header, and only a path as its target. A whole URL,
 * as clients send it to proxies, is split; its authority replaces the Host header (RFC 9112 §3.2.2). Returns
 * false for several Host headers, because two readers could believe different ones (§3.2).
 */
export function settleTarget(request: IncomingMessage): boolean {
  const { rawHeaders, url = '' } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) return false;
  if (url.startsWith('/')) return true;
  const [, authority, rest = ''] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) return true;
  request.headers.host = authority;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
}
