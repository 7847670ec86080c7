import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ErrorCode } from '@spaceport/contract/errors';
import { ServiceError } from '../errors.ts';
import { hasBody } from './body-budget.ts';
import { endAfterAnswer } from './ending.ts';
import { toErrorAnswer } from './errors.ts';
import { jsonHeaders } from './json-headers.ts';
import { edgeAt } from './refusals.ts';

/** The headers of every response that is written without the framework, and with no body read. */
export function earlyHeaders(): OutgoingHttpHeaders {
  return {
    'x-request-id': randomUUID(),
    ...jsonHeaders,
    'cache-control': 'no-store',
    connection: 'close',
  };
}

/** Responds before anybody knows whose request it is. A body is not read, so the connection ends here. */
export function answerEarly(
  response: ServerResponse,
  status: number,
  body: object,
  more: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { ...earlyHeaders(), ...more });
  if (!response.req.complete && hasBody(response.req)) endAfterAnswer(response);
  response.end(JSON.stringify(body));
}

/** Responds with an error, as the address writes its errors. */
export function refuseEarly(
  response: ServerResponse,
  error: ServiceError,
  statuses: Partial<Record<ErrorCode, number>> = {},
): void {
  const { status, body, headers } = toErrorAnswer(error, edgeAt(response.req.url ?? ''), '', { statuses });
  answerEarly(response, status, body, headers);
}

/** Refuses a request whose head is not as it should be. */
export function refuseHead(response: ServerResponse, status: 400 | 417, message: string): void {
  const issues = [{ path: '', message: 'is malformed' }];
  refuseEarly(response, new ServiceError('invalid', message, { issues }), {
    invalid: status,
    invalid_request: status,
  });
}
