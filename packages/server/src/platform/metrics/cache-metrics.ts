import { Counter, Gauge, type Registry } from 'prom-client';

/** How often a cache had what it was asked for, since the start, and what it holds. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

/** The caches by name, read when somebody asks for the metrics: a look-up costs what adding one to a number does. */
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
