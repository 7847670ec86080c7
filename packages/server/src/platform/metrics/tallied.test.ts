import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import { TalliedHistogram } from './tallied.ts';

const buckets = [0.01, 0.5, 2];
const configuration = {
  name: 'waits_seconds',
  help: 'Waits.',
  labelNames: ['of', 'status'] as const,
  buckets,
};
const labels = [
  { of: 'one', status: 200 },
  { of: 'a "quoted" one', status: 404 },
  { of: 'never', status: 500 },
];

describe('a tallied histogram', () => {
  it('reports the same as prom-client’s own, as text and aggregated', async () => {
    const observed = fc.record({ line: fc.nat({ max: 1 }), value: fc.constantFrom(0, 0.01, 0.2, 0.5, 2, 3) });
    await fc.assert(
      fc.asyncProperty(fc.array(observed, { minLength: 1 }), async (values) => {
        const registries = [new Registry(), new Registry()] as const;
        const plain = new Histogram({ ...configuration, registers: [registries[0]] });
        const tallied = new TalliedHistogram({ ...configuration, registers: [registries[1]] });
        // Lines are in the order of their first values.
        const order = [...new Set(values.map(({ line }) => line)), 2];
        const tallies = new Map(
          order.map((line) => [line, tallied.tally(labels[line] ?? { of: '', status: 0 })]),
        );
        for (const { line, value } of values) {
          plain.observe(labels[line] ?? {}, value);
          tallies.get(line)?.observe(value);
        }
        const texts = await Promise.all(registries.map((registry) => registry.metrics()));
        assert.deepEqual(lines(texts[1]), lines(texts[0]));
        const sums = await Promise.all(
          registries.map(async (registry) =>
            AggregatorRegistry.aggregate([
              await registry.getMetricsAsJSON(),
              await registry.getMetricsAsJSON(),
            ]).metrics(),
          ),
        );
        assert.deepEqual(lines(sums[1]), lines(sums[0]));
      }),
    );
  });
});

/** The lines, whatever the order of their labels. */
function lines(text = ''): string[] {
  return text
    .split('\n')
    .map((line) =>
      line.replace(/\{(.*)\}/u, (_, inner: string) =>
        [...inner.matchAll(/\w+="(?:[^"\\]|\\.)*"/gu)].sort().join(),
      ),
    );
}
