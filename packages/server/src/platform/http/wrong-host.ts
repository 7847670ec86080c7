import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from './listener.ts';

/** Load balancers ask for these by address, not by name. */
const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** A Host that is none of ours: 421 (RFC 9110 §15.5.20), but for the probes of the machine's keepers. */
export function answerWrongHost(
  request: IncomingMessage,
  response: ServerResponse,
  appAddress: string,
  app: RequestHandler,
): void {
  if (probes.has(request.url ?? '')) {
    app(request, response);
    return;
  }
  const body = JSON.stringify({
    error: 'wrong_host',
    message: `This server does not answer for that host name; its address is ${appAddress}.`,
  });
  response.writeHead(421, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
