import { Gauge, type Registry } from 'prom-client';
import type { Platform } from '../platform/context.ts';
import { findDamage } from '../versions/scrub.ts';
import { countJobs } from './jobs.queries.ts';

/** Of the processes of one server: each knows the whole, and is asked a moment before or after the others. */
const aggregator = 'max';

/**
 * The queue and the lost files, asked of the database when somebody asks for the metrics: every node shows those of the
 * whole service. While the database is away the queue is left out.
 */
export function showQueue(registry: Registry, platform: Platform): void {
  const { database, clock } = platform;
  let reading: ReturnType<typeof countJobs> | null = null;
  // Both gauges are of one look.
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
      if (lost !== null) this.set(lost.length);
    },
  });
}
