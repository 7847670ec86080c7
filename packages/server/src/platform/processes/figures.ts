import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Figures } from './together.ts';

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Adds up the metrics of several processes. Gauges are combined as prom-client defines for each. */
export function sumOfFigures(figures: readonly Figures[]): Registry {
  // Figures are the result of `getMetricsAsJSON` in another process.
  return AggregatorRegistry.aggregate(figures as Metrics[]);
}

/**
 * Returns the metrics that only grow. Those of a process that has ended are kept, so that the sums never
 * fall.
 */
export function countersOf(figures: Figures): Figures {
  return (figures as Metrics).filter((metric) => {
    // In prom-client's types it is a number, in its results a word.
    const type = String(metric.type);
    return type === 'counter' || type === 'histogram';
  });
}

/** Combines several lists of figures into one. */
export async function folded(figures: readonly Figures[]): Promise<Figures> {
  return sumOfFigures(figures).getMetricsAsJSON();
}

/**
 * Returns a function that reads the primary's own figures. The primary is a process of the server that
 * answers no requests.
 */
export function ownProcessFigures(): () => Promise<Figures> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return async () => (await registry.getMetricsAsJSON()).filter(({ name }) => name.startsWith('process_'));
}
