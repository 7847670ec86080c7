import { Gauge, type Registry } from 'prom-client';
import type { Platform } from '../platform/context.ts';
import { findDamage } from '../versions/scrub.ts';
import { countJobs } from './jobs.queries.ts';

/**
 * How the processes of one server combine their values: each reads the whole service, at
 * slightly different times.
 */
const aggregator = 'max';

/**
 * Registers metrics of the queue and of lost files. They are read from the database when the metrics
 * are requested, so every node shows those of the whole service. The queue is left out while the
 * database is not available.
 */
export function showQueue(registry: Registry, platform: Platform): void {
  const { database, clock } = platform;
  let reading: ReturnType<typeof countJobs> | null = null;
  // Both gauges share one read.
  const jobs = () =>
    (reading ??= countJobs(database.db, clock.now())
      .catch(() => [])
      .finally(() => {
        reading = null;
      }));
  new Gauge({
    name: 'spaceport_jobs',
    help: 'Jobs by kind and state: waiting, running, later or failed.',
    labelNames: ['kind', 'state'],
    registers: [registry],
    aggregator,
    async collect() {
      const rows = await jobs();
      this.reset();
      for (const { kind, waiting, running, later, failed } of rows)
        for (const [state, count] of Object.entries({ waiting, running, later, failed }))
          this.set({ kind, state }, count);
    },
  });
  new Gauge({
    name: 'spaceport_oldest_job_seconds',
    help: 'For how long the oldest due job of a kind has waited for a worker.',
    labelNames: ['kind'],
    registers: [registry],
    aggregator,
    async collect() {
      const rows = await jobs();
      this.reset();
      for (const { kind, oldest_waiting_since: since } of rows)
        this.set({ kind }, since === null ? 0 : Math.max(0, clock.now() - Date.parse(since)) / 1_000);
    },
  });
  new Gauge({
    name: 'spaceport_lost_files',
    help: 'Stored files that are missing or not what their hash says, as they were last known.',
    registers: [registry],
    aggregator,
    async collect() {
      const lost = await findDamage(platform).catch(() => null);
      if (lost !== null) this.set(lost.count);
    },
  });
}
