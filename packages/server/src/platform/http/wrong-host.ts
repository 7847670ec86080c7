import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from './body-budget.ts';
import { endAfterAnswer } from './ending.ts';
import type { RequestHandler } from './listener.ts';
import { pathOf } from './path-of.ts';

/** The path at which a proxy asks whether a host name belongs to a space. */
export const domainAskPath = '/internal/domains/ask';
/** Load balancers request these by address, not by name. */
const probes = new Set(['/healthz', '/readyz', '/metrics', domainAskPath]);

/**
 * Responds with 421 to a Host that is not ours (RFC 9110 §15.5.20), except for the probes of load balancers.
 */
export function answerWrongHost(
  request: IncomingMessage,
  response: ServerResponse,
  appAddress: string,
  app: RequestHandler,
): void {
  if (probes.has(pathOf(request.url ?? ''))) {
    app(request, response);
    return;
  }
  answer(response, 421, {
    error: 'wrong_host',
    message: `This server does not answer for that host name; its address is ${appAddress}.`,
  });
}

/** Responds with 400 to a request with several Host headers. */
export function answerSeveralHosts(response: ServerResponse): void {
  answer(response, 400, { error: 'bad_request', message: 'The request has more than one Host header.' });
}

/** The request's body is not read, so the connection ends here. */
function answer(response: ServerResponse, status: number, body: { error: string; message: string }): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  if (!response.req.complete && hasBody(response.req)) endAfterAnswer(response);
  response.end(JSON.stringify(body));
}
