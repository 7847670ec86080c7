/** A piece of work that is over, as OpenTelemetry has it. */
export interface Span {
  /** 32 hex digits: the request that all of it is for. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  /** What somebody asked of us, or what we do inside. */
  readonly kind: 'server' | 'internal' | 'consumer';
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** Where work belongs. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** False where whoever asked keeps no trace of it. */
  readonly isSampled: boolean;
}

const shape = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-|$)/u;
const sampledBit = 1;

/** Reads `traceparent` (W3C Trace Context); null where there is none that can be read. */
export function readTraceparent(header: string | readonly string[] | undefined): TraceContext | null {
  if (typeof header !== 'string' || header.startsWith('ff')) return null;
  const [, traceId = '', spanId = '', flags = ''] = shape.exec(header) ?? [];
  if (/^0*$/u.test(traceId) || /^0*$/u.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledBit) !== 0 };
}
