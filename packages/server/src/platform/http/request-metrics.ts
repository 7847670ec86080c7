import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What `/metrics` shows of requests, and of the process. */
export interface RequestMetrics {
  readonly registry: Registry;
  /** Counts an answer; `route` as the router spells it. */
  observe(answer: { route: string; method: string; status: number }, seconds: number): void;
}

export function createRequestMetrics(): RequestMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'spaceport_http_request_duration_seconds',
    help: 'Requests to the app, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 30],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'spaceport_errors_total',
    help: 'Answers with a status of 500 or more.',
    registers: [registry],
  });
  // Looking one up by its labels costs more than counting does. Routes and statuses are few.
  const known = new Map<string, { observe(seconds: number): void }>();
  return {
    registry,
    observe({ route, method, status }, seconds) {
      const name = `${status} ${method} ${route}`;
      const found = known.get(name) ?? requests.labels({ route, method, status });
      known.set(name, found);
      found.observe(seconds);
      if (status >= 500) failures.inc();
    },
  };
}
