import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import { newId } from '../secrets/id.ts';

export interface AskedJob {
  readonly kind: string;
  readonly ref: string;
  /** When it is due, in epoch milliseconds. */
  readonly runAt: number;
  readonly now: number;
}

/**
 * Adds a job, or restarts the one of that kind and ref: a job that waits or was given up begins anew, and a
 * job that runs will run once more.
 */
export async function insertJob(db: Db, { kind, ref, runAt, now }: AskedJob): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ id: newId('job'), kind, ref, run_at: runAt, attempts: 0, outages: 0, created_at: now })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'ref']).doUpdateSet(({ ref }) => ({
        run_at: runAt,
        created_at: now,
        asks: sql`${ref('jobs.asks')} + 1`,
        attempts: 0,
        outages: 0,
        failed_at: null,
      })),
    )
    .execute();
}
