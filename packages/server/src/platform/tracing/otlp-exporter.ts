import type { Logger } from 'pino';
import type { Span } from './span.ts';

export interface ExporterOptions {
  /** OTEL_EXPORTER_OTLP_ENDPOINT, without `/v1/traces`, which is appended. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Distinguishes this process from the others. */
  readonly instance: string;
  readonly log: Logger;
}

/** The most spans in one call, and the most that may wait. Further spans are dropped. */
const spansInCall = 512;
const maxWaiting = 2_048;
const everyMs = 2_000;
const patienceMs = 5_000;
const lastPatienceMs = 2_000;
const kinds = { internal: 1, server: 2, consumer: 5 } as const;
const statusError = 2;

/** Sends spans to a collector, as JSON over HTTP (OTLP). If the collector is down, only spans are lost. */
export class OtlpExporter {
  readonly #options: ExporterOptions;
  readonly #timer: NodeJS.Timeout;
  #waiting: Span[] = [];
  #dropped = 0;
  #sending: Promise<void> | null = null;
  #isAway = false;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#flush(patienceMs), everyMs).unref();
  }

  add(span: Span): void {
    if (this.#waiting.length >= maxWaiting) this.#dropped++;
    else this.#waiting.push(span);
    if (this.#waiting.length === spansInCall) void this.#flush(patienceMs);
  }

  /** Sends the waiting spans, within two seconds. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    await this.#flush(lastPatienceMs);
  }

  #flush(withinMs: number): Promise<void> {
    this.#sending ??= this.#sendAll(AbortSignal.timeout(withinMs)).finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, spansInCall);
      try {
        await this.#send(spans, signal);
        if (this.#dropped > 0) this.#options.log.warn({ dropped: this.#dropped }, 'spans were dropped');
        this.#dropped = 0;
        this.#isAway = false;
      } catch (error) {
        this.#dropped += spans.length;
        if (!this.#isAway) this.#options.log.warn({ err: error }, 'the collector takes no spans');
        this.#isAway = true;
        return;
      }
    }
  }

  async #send(spans: readonly Span[], signal: AbortSignal): Promise<void> {
    const { endpoint, headers } = this.#options;
    const answer = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(this.#message(spans)),
      signal,
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
  }

  #message(spans: readonly Span[]) {
    const { serviceName, instance } = this.#options;
    const about = attributesOf({ 'service.name': serviceName, 'service.instance.id': instance });
    const scopeSpans = [{ scope: { name: 'spaceport' }, spans: spans.map(asOtlp) }];
    return { resourceSpans: [{ resource: { attributes: about }, scopeSpans }] };
  }
}

function asOtlp(span: Span) {
  const { traceId, spanId, parentId, name, kind, startedAt, endedAt, isError, attributes } = span;
  return {
    traceId,
    spanId,
    ...(parentId !== null && { parentSpanId: parentId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributesOf(attributes),
    ...(isError && { status: { code: statusError } }),
  };
}

/** Converts to nanoseconds as text. A double has microsecond precision for present times. */
function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1_000)}000`;
}

/** OTLP writes whole numbers as text. */
function attributesOf(attributes: Readonly<Record<string, string | number>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
