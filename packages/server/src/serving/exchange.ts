import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KeptHead } from '../platform/http/kept-head.ts';
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

/** Writes the head: the request's id, and `headers`, which many responses may share. */
export function writeHead(
  { response, requestId, target, begunAt, watch }: Exchange,
  status: number,
  headers: Readonly<FlatHeaders>,
): void {
  response.writeHead(status, ['x-request-id', requestId, ...headers]);
  watch?.(target.is, status, (performance.now() - begunAt) / 1_000);
}

/** Writes a head that is often the same. */
export function writeKeptHead(
  { response, requestId, target, begunAt, watch }: Exchange,
  head: KeptHead,
): void {
  head.write(response, requestId);
  watch?.(target.is, head.status, (performance.now() - begunAt) / 1_000);
}
