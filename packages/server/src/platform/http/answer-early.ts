import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ErrorCode } from '@spaceport/contract/errors';
import { hasBody } from './body-budget.ts';
import { endAfterAnswer } from './ending.ts';

/** The headers of every response that is written without the framework, and with no body read. */
export function earlyHeaders(): OutgoingHttpHeaders {
  return {
    'x-request-id': randomUUID(),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
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

/** The body of an error about the head of a request. */
export function headProblem(message: string): { error: ErrorCode; message: string; issues: object[] } {
  return { error: 'invalid', message, issues: [{ path: '', message: 'is malformed' }] };
}
