import { operations } from '@spaceport/contract/operations';
import { Counter, type Registry } from 'prom-client';
import { TalliedHistogram, type Tally } from '../metrics/tallied.ts';

/** The metrics of requests to the app. */
export interface RequestMetrics {
  readonly registry: Registry;
  /** Counts a response. `route` is the router's pattern. */
  observe(answer: { route: string; method: string; status: number }, seconds: number): void;
}

/** Operations by method and route. */
const operationAt = new Map(
  operations.map(({ id, method, path }) => [`${method} ${path.replaceAll(/\{(\w+)\}/gu, ':$1')}`, id]),
);

export function createRequestMetrics(registry: Registry): RequestMetrics {
  const requests = new TalliedHistogram({
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
  const tallies = new Map<string, Map<string, Map<number, Tally>>>();
  return {
    registry,
    observe({ route, method, status }, seconds) {
      // Three short look-ups: one key made of all three would be built and hashed for each request.
      const ofMethod = orNew(orNew(tallies, route), method);
      let found = ofMethod.get(status);
      if (!found) {
        const operation = operationAt.get(`${method} ${route}`) ?? '';
        found = requests.tally({ route, method, status, operation });
        ofMethod.set(status, found);
      }
      found.observe(seconds);
      if (status >= 500) failures.inc();
    },
  };
}

function orNew<Key, Inner>(outer: Map<string, Map<Key, Inner>>, name: string): Map<Key, Inner> {
  const known = outer.get(name);
  if (known) return known;
  const made = new Map<Key, Inner>();
  outer.set(name, made);
  return made;
}
