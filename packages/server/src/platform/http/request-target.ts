import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseHead } from './answer-early.ts';

const absoluteForm = /^https?:\/\/([^/?#]*)([^#]*)/iu;

/**
 * Makes sure that a request names one host, in its Host header, and only a path as its target. A whole URL,
 * as clients send it to proxies, is split; its authority replaces the Host header (RFC 9112 §3.2.2). Returns
 * what is wrong otherwise: two readers of several Host headers could believe different ones, and only HTTP/1.0
 * may come without (§3.2).
 */
export function settleTarget(request: IncomingMessage): string | null {
  const { rawHeaders, url = '' } = request;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) return 'The request has more than one Host header.';
  if (hosts === 0 && request.httpVersion !== '1.0') return 'The request has no Host header.';
  if (url.startsWith('/')) return null;
  const [, authority, rest = ''] = absoluteForm.exec(url) ?? [];
  // `OPTIONS *` is about the whole server (§3.2.4).
  if (authority === undefined)
    return request.method === 'OPTIONS' ? null : 'The target of the request is not a path.';
  request.headers.host = authority;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return null;
}

/** Responds with 400 to a request whose host or target cannot be told. */
export function answerBadTarget(response: ServerResponse, problem: string): void {
  refuseHead(response, 400, problem);
}

/**
 * Responds with 417 to a request that expects what we do not know (RFC 9110 §10.1.1). Node answers the known
 * expectation, `100-continue`.
 */
export function answerExpectation(response: ServerResponse): void {
  refuseHead(response, 417, 'The server does not meet the expectation in the Expect header.');
}
