import type { Platform } from '../platform/context.ts';
import { deleteUsedRuns } from './used-runs.queries.ts';

/** Forgets the runs that were submitted so long ago that they are over. */
export async function sweepUsedRuns({
  database,
  clock,
  config,
}: Pick<Platform, 'database' | 'clock' | 'config'>): Promise<void> {
  await deleteUsedRuns(database.db, clock.now() - config.PLAY_SESSION_SECONDS * 1_000);
}
