import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentTarget } from './hosts.ts';
import type { FlatHeaders } from './policy-headers.ts';

/** One request to a content host, on its way to an answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: ContentTarget;
  readonly requestId: string;
}

/** Writes the head with the request's id behind `headers`, which many answers may share. */
export function writeHead(
  { response, requestId }: Exchange,
  status: number,
  headers: Readonly<FlatHeaders>,
): void {
  response.writeHead(status, [...headers, 'X-Request-Id', requestId]);
}
