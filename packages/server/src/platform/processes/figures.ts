import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Figures } from './together.ts';

type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Adds up the figures of processes; gauges as prom-client says of each. */
export function sumOfFigures(figures: readonly Figures[]): Registry {
  // Figures are what `getMetricsAsJSON` gave in another process.
  return AggregatorRegistry.aggregate(figures as Metrics[]);
}

/** What only ever grows: of a process that has ended it stays, so that the sums never fall. */
export function countersOf(figures: Figures): Figures {
  return (figures as Metrics).filter((metric) => {
    // prom-client calls it by a number in its types and by a word in what it gives.
    const type = String(metric.type);
    return type === 'counter' || type === 'histogram';
  });
}

/** One list of figures instead of several. */
export async function folded(figures: readonly Figures[]): Promise<Figures> {
  return sumOfFigures(figures).getMetricsAsJSON();
}

/** What the primary adds of its own: a process of the server that answers nobody. */
export function ownProcessFigures(): () => Promise<Figures> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return async () => (await registry.getMetricsAsJSON()).filter(({ name }) => name.startsWith('process_'));
}
