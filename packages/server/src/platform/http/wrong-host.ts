import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../errors.ts';
import { refuseEarly } from './answer-early.ts';
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
  const message = `This server does not answer for that host name; its address is ${appAddress}.`;
  refuseEarly(response, new ServiceError('wrong_host', message));
}
