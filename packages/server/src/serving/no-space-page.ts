import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from '../platform/http/body-budget.ts';
import { plainPages } from './plain-pages.ts';

/**
 * Creates the answer to a person's browser at a host that no space has: a page in place of an error in JSON. It returns
 * false, and answers nothing, if a program asks.
 */
export function createNoSpacePage(
  appOrigin: string,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { status, headers, body } = plainPages(appOrigin).noSpace;
  return (request, response) => {
    const { accept = '' } = request.headers;
    const isRead = (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
    if (!isRead || !accept.toLowerCase().includes('text/html')) return false;
    response.writeHead(status, [...headers]).end(body);
    return true;
  };
}
