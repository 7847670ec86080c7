import { existsSync } from 'node:fs';
import type { DurablePostgres } from './durable-postgres.ts';
import { cpuSecondsOfAll } from './memory.ts';
import type { Figure } from './result.ts';
import { median } from './rounds.ts';
import { type Load, type LoadOptions, load } from './wrk.ts';

export interface MeasuredLoad extends Load {
  /**
   * CPU time of the server's process, with those that it started, by the request, user and system; NaN where
   * the machine does not tell it.
   */
  readonly cpuUs: number;
}

/** Runs `load`, and measures the server's CPU time per request. */
export async function measuredLoad(
  url: string,
  pid: number | undefined,
  options: LoadOptions & { readonly seconds: number },
): Promise<MeasuredLoad> {
  const tells = pid !== undefined && existsSync('/proc/self/status');
  const before = tells ? cpuSecondsOfAll(pid) : 0;
  const result = await load(url, options);
  const cpuSeconds = tells ? cpuSecondsOfAll(pid) - before : Number.NaN;
  return { ...result, cpuUs: (cpuSeconds * 1e6) / (result.requestsPerSecond * options.seconds) };
}

/** Returns the median CPU time per request over the rounds. */
export const medianCpu = (loads: readonly Pick<MeasuredLoad, 'cpuUs'>[]): Figure => ({
  value: median(loads.map(({ cpuUs }) => cpuUs)),
  unit: 'µs',
});

export interface DatabaseLoad extends MeasuredLoad {
  /** CPU time of PostgreSQL by the request, in µs; 0 without one. */
  readonly databaseUs: number;
}

/** Like `measuredLoad`, with the cost of a request for the database. */
export async function databaseLoad(
  postgres: Pick<DurablePostgres, 'cpuSeconds'> | null,
  ...[url, pid, options]: Parameters<typeof measuredLoad>
): Promise<DatabaseLoad> {
  const before = postgres?.cpuSeconds() ?? 0;
  const measured = await measuredLoad(url, pid, options);
  const used = (postgres?.cpuSeconds() ?? 0) - before;
  return Object.assign({}, measured, {
    databaseUs: (used * 1e6) / (measured.requestsPerSecond * options.seconds),
  });
}

/** The median of the rounds' database costs. */
export const medianDatabase = (loads: readonly DatabaseLoad[]): Figure => ({
  value: median(loads.map(({ databaseUs }) => databaseUs)),
  unit: 'µs',
});
