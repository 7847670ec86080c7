import { mostAheadMs } from '../clock/clock.ts';
import type { Platform } from '../context.ts';
import { bringBack } from './due-jobs.queries.ts';

/**
 * Makes the jobs due that a clock which was ahead has put into the future, such as that of a machine that started with
 * a wrong time: they would wait until that time has come.
 */
export async function sweepJobs({
  database,
  clock,
  config,
  log,
}: Pick<Platform, 'database' | 'clock' | 'config' | 'log'>): Promise<void> {
  const now = clock.now();
  const newest = now + mostAheadMs;
  const jobs = await bringBack(database.db, {
    now,
    newest,
    longest: newest + config.JOB_LEASE_SECONDS * 1000,
  });
  if (jobs > 0) log.warn({ jobs }, 'a clock was ahead when these jobs were written: they run now');
}
