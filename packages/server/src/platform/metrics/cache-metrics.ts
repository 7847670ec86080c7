import { Counter, Gauge, type Registry } from 'prom-client';

/** The hits and misses of a cache since the start, and the bytes that it holds. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

/**
 * Shows the caches by name. Their counts are read when the metrics are requested, so a look-up only
 * increments a number.
 */
export function showCaches(registry: Registry, caches: Readonly<Record<string, () => CacheCounts>>): void {
  new Counter({
    name: 'spaceport_cache_lookups_total',
    help: 'Look-ups in memory, by cache and result: hit or miss.',
    labelNames: ['cache', 'result'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, counts] of Object.entries(caches)) {
        const { hits, misses } = counts();
        this.inc({ cache, result: 'hit' }, hits);
        this.inc({ cache, result: 'miss' }, misses);
      }
    },
  });
  new Gauge({
    name: 'spaceport_cache_bytes',
    help: 'Memory that a cache holds.',
    labelNames: ['cache'],
    registers: [registry],
    collect() {
      for (const [cache, counts] of Object.entries(caches)) this.set({ cache }, counts().bytes);
    },
  });
}
