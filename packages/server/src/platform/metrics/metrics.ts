import { collectDefaultMetrics, Registry } from 'prom-client';
import { createRequestMetrics, type RequestMetrics } from '../http/request-metrics.ts';
import { type BackingMetrics, createBackingMetrics } from './backing-metrics.ts';
import { type ContentWatch, createContentMetrics } from './content-metrics.ts';

/** All that `/metrics` shows: of the process itself, and of what is told to these. */
export interface Metrics {
  readonly registry: Registry;
  readonly backing: BackingMetrics;
  readonly content: ContentWatch;
  readonly requests: RequestMetrics;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    backing: createBackingMetrics(registry),
    content: createContentMetrics(registry),
    requests: createRequestMetrics(registry),
  };
}
