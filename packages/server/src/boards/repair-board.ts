import { setTimeout as pause } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Platform } from '../platform/context.ts';
import type { BoardsTable } from '../platform/db/schema.ts';
import { findJob } from '../platform/jobs/due-jobs.queries.ts';
import { Worker } from '../platform/jobs/queue.ts';
import { lockRankings } from './change-entries.ts';
import { rulesOf } from './ranking.ts';
import { findBoardById, setRankedAs } from './rerank-board.queries.ts';
import { createRerankJob, rerankJob } from './rerank-board.ts';

/** How often another process that ranks the board is asked whether it is done. */
const pollMs = 100;

/**
 * Ranks a board again by its own rules, in new rankings beside the ones that readers see. The service may keep
 * running: two processes that rank one board would take away each other's new rankings, so this is the job of changed
 * rules, and whoever leases it does it.
 * @throws an error if the job is given up
 */
export async function repairBoard(
  platform: Platform,
  { id, space_id: spaceId }: Pick<Selectable<BoardsTable>, 'id' | 'space_id'>,
): Promise<void> {
  const { database, clock, log, config } = platform;
  await database.transaction(async (tx) => {
    await lockRankings(tx, [spaceId]);
    const now = await findBoardById(tx.db, id);
    if (!now) return;
    if (now.ranked_as === null) await setRankedAs(tx, id, rulesOf(now));
    await tx.enqueue(rerankJob, id);
  });
  // The service may be stopped.
  const worker = new Worker(database, clock, log, [createRerankJob(platform)], config.JOB_LEASE_SECONDS);
  try {
    for (;;) {
      await worker.settle();
      const job = await findJob(database.db, rerankJob, id);
      if (!job) return;
      if (job.failed_at !== null) throw new Error(`The board could not be ranked: ${job.last_error}`);
      await pause(pollMs);
    }
  } finally {
    await worker.stop();
  }
}
