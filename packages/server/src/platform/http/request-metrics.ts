import { operations } from '@spaceport/contract/operations';
import { Counter, Histogram, type Registry } from 'prom-client';

/** What `/metrics` shows of requests to the app. */
export interface RequestMetrics {
  readonly registry: Registry;
  /** Counts an answer; `route` as the router spells it. */
  observe(answer: { route: string; method: string; status: number }, seconds: number): void;
}

/** Operations by method and route. */
const operationAt = new Map(
  operations.map(({ id, method, path }) => [`${method} ${path.replaceAll(/\{(\w+)\}/gu, ':$1')}`, id]),
);

export function createRequestMetrics(registry: Registry): RequestMetrics {
  const requests = new Histogram({
    name: 'spaceport_http_request_duration_seconds',
    help: 'Requests to the app, by route, method, status and operation of the API; no operation for pages.',
    labelNames: ['route', 'method', 'status', 'operation'],
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
      let found = known.get(name);
      if (!found) {
        const operation = operationAt.get(`${method} ${route}`) ?? '';
        found = requests.labels({ route, method, status, operation });
        known.set(name, found);
      }
      found.observe(seconds);
      if (status >= 500) failures.inc();
    },
  };
}
