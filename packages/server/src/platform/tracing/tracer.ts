import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { ServiceError } from '../errors.ts';
import type { JobKind } from '../jobs/queue.ts';
import type { BackingMetrics } from '../metrics/backing-metrics.ts';
import { type Ended, timed } from '../metrics/timed.ts';
import { timedStore } from '../metrics/timed-store.ts';
import { OtlpExporter } from './otlp-exporter.ts';
import { readTraceparent, type Span, type TraceContext } from './span.ts';

/** Reports requests and jobs to a collector, with the transactions and store calls that are made for each. */
export interface Tracer {
  /** Reports each request to the app, as part of the trace that its `traceparent` names. */
  mount(app: FastifyInstance): void;
  job(kind: JobKind): JobKind;
  /** Wraps the metrics: the tracer also gets each call. */
  over(backing: BackingMetrics): BackingMetrics;
  close(): Promise<void>;
}

type Part = Pick<Span, 'name' | 'kind' | 'isError' | 'attributes'>;

/** Opens the tracer. This module is only loaded if OTEL_EXPORTER_OTLP_ENDPOINT is set. */
export function openTracer(
  { OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_SERVICE_NAME: serviceName }: Config,
  { endpoint, log }: { endpoint: string; log: Logger },
): Tracer {
  const exporter = new OtlpExporter({ endpoint, headers, serviceName, instance: randomUUID(), log });
  const current = new AsyncLocalStorage<TraceContext>();
  const requests = new WeakMap<FastifyRequest, { own: TraceContext; parentId: string | null }>();

  function told(own: TraceContext, parentId: string | null, seconds: number, part: Part): void {
    if (!own.isSampled) return;
    const endedAt = performance.timeOrigin + performance.now();
    const { traceId, spanId } = own;
    exporter.add({ ...part, traceId, spanId, parentId, startedAt: endedAt - seconds * 1_000, endedAt });
  }

  /**
   * Reports work that was done for the current request or job. Work that the service does for itself is not
   * reported.
   */
  function toldInside(seconds: number, part: Part): void {
    const outer = current.getStore();
    if (outer) told({ ...outer, spanId: newId(8) }, outer.spanId, seconds, part);
  }

  return {
    mount(app) {
      app.addHook('onRequest', (request, _reply, done) => {
        const parent = readTraceparent(request.headers.traceparent);
        const own = begun(parent);
        requests.set(request, { own, parentId: parent?.spanId ?? null });
        current.run(own, done);
      });
      // After the wait for a body, the context is that of the connection, so that of the request is set
      // again.
      app.addHook('preValidation', (request, _reply, done) => {
        const known = requests.get(request);
        if (known) current.run(known.own, done);
        else done();
      });
      app.addHook('onResponse', (request, reply, done) => {
        const known = requests.get(request);
        const { method, routeOptions } = request;
        const route = routeOptions.url ?? 'none';
        const attributes = {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': reply.statusCode,
          'spaceport.request_id': String(request.id),
        };
        const isError = reply.statusCode >= 500;
        if (known)
          told(known.own, known.parentId, reply.elapsedTime / 1_000, {
            name: `${method} ${route}`,
            kind: 'server',
            isError,
            attributes,
          });
        done();
      });
    },
    job: (kind) => ({
      ...kind,
      run: (job) => {
        const own = begun(null);
        const attributes = { 'spaceport.job': kind.kind, 'spaceport.ref': job.ref };
        return current.run(own, () =>
          timed(
            () => kind.run(job),
            (seconds, ended) =>
              told(own, null, seconds, {
                name: `job ${kind.kind}`,
                kind: 'consumer',
                isError: isFault(ended),
                attributes,
              }),
          ),
        );
      },
    }),
    over: (backing) => ({
      statement: backing.statement,
      database(opened) {
        const database = backing.database(opened);
        const attributes = { 'db.system.name': opened.engine === 'sqlite' ? 'sqlite' : 'postgresql' };
        return {
          ...database,
          transaction: (work) =>
            timed(
              () => database.transaction(work),
              (seconds, ended) =>
                toldInside(seconds, {
                  name: 'transaction',
                  kind: 'internal',
                  isError: isFault(ended),
                  attributes,
                }),
            ),
        };
      },
      store: (opened) =>
        timedStore(backing.store(opened), (call, outcome, seconds) => {
          const attributes = { 'spaceport.outcome': outcome };
          toldInside(seconds, {
            name: `store ${call}`,
            kind: 'internal',
            isError: outcome === 'error',
            attributes,
          });
        }),
    }),
    close: () => exporter.close(),
  };
}

/** Returns a new span in the caller's trace, or the first span of a new trace. */
function begun(parent: TraceContext | null): TraceContext {
  const { traceId, isSampled } = parent ?? { traceId: newId(16), isSampled: true };
  return { traceId, isSampled, spanId: newId(8) };
}

/** Returns whether it failed. A ServiceError is a regular response. */
function isFault(ended: Ended): boolean {
  return !ended.isOk && !(ended.error instanceof ServiceError);
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
