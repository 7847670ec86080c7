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

/** The last two slots of every header array that is kept: the value is filled in for each answer. */
export const requestIdSlot: Readonly<FlatHeaders> = ['X-Request-Id', ''];

/**
 * Writes the head. `headers` may be shared by many answers: node:http copies it before this returns, so filling
 * its last slot in place is safe, and spares a copy on the hottest path.
 */
export function writeHead({ response, requestId }: Exchange, status: number, headers: FlatHeaders): void {
  headers[headers.length - 1] = requestId;
  response.writeHead(status, headers);
}
