import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentWatch } from '../platform/metrics/content-metrics.ts';
import type { ContentTarget } from './hosts.ts';
import type { FlatHeaders } from './policy-headers.ts';

/** One request to a content host, with its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: ContentTarget;
  readonly requestId: string;
  /** When the request came, by `performance.now()`. */
  readonly begunAt: number;
  readonly watch: ContentWatch | undefined;
}

/** Writes the head: `headers`, which many responses may share, and the request's id after them. */
export function writeHead(
  { response, requestId, target, begunAt, watch }: Exchange,
  status: number,
  headers: Readonly<FlatHeaders>,
): void {
  response.writeHead(status, [...headers, 'X-Request-Id', requestId]);
  watch?.(target.is, status, (performance.now() - begunAt) / 1_000);
}
