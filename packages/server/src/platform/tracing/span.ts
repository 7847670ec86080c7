/** A finished piece of work, as in OpenTelemetry. */
export interface Span {
  /** 32 hex digits, the same for all work of one request. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  /** `server` for a request, `consumer` for a job, `internal` for work inside one of them. */
  readonly kind: 'server' | 'internal' | 'consumer';
  /** Epoch milliseconds, with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** The trace and the span that a piece of work belongs to. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** False if the caller does not record this trace. */
  readonly isSampled: boolean;
}

const shape = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/u;
const sampledBit = 1;

/** Parses `traceparent` (W3C Trace Context); null if it is missing or malformed. */
export function readTraceparent(header: string | readonly string[] | undefined): TraceContext | null {
  if (typeof header !== 'string' || header.startsWith('ff')) return null;
  const [, traceId = '', spanId = '', flags = ''] = shape.exec(header) ?? [];
  if (/^0*$/u.test(traceId) || /^0*$/u.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledBit) !== 0 };
}
