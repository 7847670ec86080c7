import { collectDefaultMetrics, Registry } from 'prom-client';
import { createRequestMetrics, type RequestMetrics } from '../http/request-metrics.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { type BackingMetrics, createBackingMetrics } from './backing-metrics.ts';
import { type ContentWatch, createContentMetrics } from './content-metrics.ts';

/** All metrics: those of the process itself, and those that are reported to these. */
export interface Metrics {
  readonly registry: Registry;
  readonly backing: BackingMetrics;
  readonly content: ContentWatch;
  readonly requests: RequestMetrics;
}

/** Makes the metrics. `tracer` also gets the calls of database and store. */
export function createMetrics(tracer: Pick<Tracer, 'over'> | null = null): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const backing = createBackingMetrics(registry);
  return {
    registry,
    backing: tracer?.over(backing) ?? backing,
    content: createContentMetrics(registry),
    requests: createRequestMetrics(registry),
  };
}
