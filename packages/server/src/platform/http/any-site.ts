import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Headers that let a page of any site read a response, refusals too. No cookies are sent: `*` never allows
 * credentials.
 */
export const readableAnywhere = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, X-Request-Id, Mcp-Session-Id',
};

/**
 * Request headers that `*` does not cover (`authorization`) or that are always sent are named. The protocol
 * may add others.
 */
const allowedHeaders =
  'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id, *';
const preflightSeconds = 7200;

/** Returns whether a request is a CORS preflight (Fetch, "CORS-preflight request"). */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * Responds to a preflight. Methods that do not exist are allowed too: then a page can read their 405, which
 * the browser would otherwise hide.
 */
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
