import type { Platform } from '../platform/context.ts';
import { deleteUsedRuns } from './used-runs.queries.ts';

/** Deletes submitted runs that are over anyway. */
export async function sweepUsedRuns({
  database,
  clock,
  config,
}: Pick<Platform, 'database' | 'clock' | 'config'>): Promise<void> {
  await deleteUsedRuns(database.db, clock.now() - config.PLAY_SESSION_SECONDS * 1_000);
}
