import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a page of any site may read of an answer, its refusals too. No cookie goes along: `*` is never with credentials. */
export const readableAnywhere = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, X-Request-Id, Mcp-Session-Id',
};

/** Those by name for which `*` does not stand (`authorization`), or that are always sent; the protocol may add others. */
const allowedHeaders =
  'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id, *';
const preflightSeconds = 7200;

/** A browser asks whether a page may send what it wants to (Fetch, "CORS-preflight request"). */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** Methods that are not there are let through too: a page can read their 405 then, where its browser would hide it. */
export function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      'access-control-allow-headers': allowedHeaders,
      'access-control-max-age': preflightSeconds,
    })
    .send();
}
