import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from './body-budget.ts';
import { endAfterAnswer } from './ending.ts';
import type { RequestHandler } from './listener.ts';
import { pathOf } from './path-of.ts';

/** Where a proxy asks whether a host name is that of a space. */
export const domainAskPath = '/internal/domains/ask';
/** Load balancers ask for these by address, not by name. */
const probes = new Set(['/healthz', '/readyz', '/metrics', domainAskPath]);

/** A Host that is none of ours: 421 (RFC 9110 §15.5.20), but for the probes of the machine's keepers. */
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

/** A request that names several hosts is for none of them. */
export function answerSeveralHosts(response: ServerResponse): void {
  answer(response, 400, { error: 'bad_request', message: 'The request has more than one Host header.' });
}

/** Nothing of the request's body is wanted, so the connection ends here. */
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
