import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../errors.ts';
import { refuseEarly } from './answer-early.ts';
import type { RequestHandler } from './listener.ts';
import { pathOf } from './path-of.ts';

/** The path at which a proxy asks whether a host name belongs to a space. */
export const domainAskPath = '/internal/domains/ask';
/** Load balancers request these by address, not by name. */
const probes = new Set(['/healthz', '/readyz', '/readyz/content', '/metrics', domainAskPath]);

/**
 * Responds with 421 to a Host that is not ours (RFC 9110 §15.5.20), except for the probes of load balancers.
 * @param page answers a person's browser, and returns false for others; null if all get the error
 */
export function answerWrongHost(
  request: IncomingMessage,
  response: ServerResponse,
  appAddress: string,
  app: RequestHandler,
  page: ((request: IncomingMessage, response: ServerResponse) => boolean) | null,
): void {
  if (probes.has(pathOf(request.url ?? ''))) {
    app(request, response);
    return;
  }
  if (page?.(request, response)) return;
  const message = `This server does not answer for that host name; its address is ${appAddress}.`;
  refuseEarly(response, new ServiceError('wrong_host', message));
}
