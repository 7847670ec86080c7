import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentWatch } from '../platform/metrics/content-metrics.ts';
import type { ContentTarget } from './hosts.ts';
import type { FlatHeaders } from './policy-headers.ts';

/** One request to a content host, on its way to an answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: ContentTarget;
  readonly requestId: string;
  /** By `performance.now()`. */
  readonly begunAt: number;
  readonly watch: ContentWatch | undefined;
}

/** Writes the head with the request's id behind `headers`, which many answers may share. */
export function writeHead(
  { response, requestId, target, begunAt, watch }: Exchange,
  status: number,
  headers: Readonly<FlatHeaders>,
): void {
  response.writeHead(status, [...headers, 'X-Request-Id', requestId]);
  watch?.(target.is, status, (performance.now() - begunAt) / 1_000);
}
