import { setImmediate as nextTurn } from 'node:timers/promises';
import { type NotNull, sql } from 'kysely';
import { toTimestamp } from '../platform/clock/clock.ts';
import { givenId, type JobId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';

/** SQLite counts as many in some ten milliseconds. */
const jobsAtOnce = 5_000;

/** The jobs of a kind. Every job is either failed, running (leased), waiting (due) or later. */
interface Counts {
  waiting: number;
  running: number;
  later: number;
  failed: number;
  /** Since when the oldest of those that wait is due. */
  oldest: number | null;
}

/**
 * Counts jobs by kind. It reads them in pieces: they are counted for every scrape of the metrics, and a million in one
 * statement would keep SQLite from all other requests for two seconds.
 */
export async function countJobs(db: Db, now: number) {
  const kinds = new Map<string, Counts>();
  for (let after = givenId('job', ''); ; ) {
    const rows = await countPiece(db, now, after);
    let counted = 0;
    for (const { kind, last, jobs, oldest, ...counts } of rows) {
      const sum = kinds.get(kind) ?? { waiting: 0, running: 0, later: 0, failed: 0, oldest: null };
      for (const state of ['waiting', 'running', 'later', 'failed'] as const)
        sum[state] += Number(counts[state]);
      if (oldest !== null) sum.oldest = Math.min(sum.oldest ?? Number(oldest), Number(oldest));
      kinds.set(kind, sum);
      counted += Number(jobs);
      if (last > after) after = last;
    }
    if (counted < jobsAtOnce) break;
    await nextTurn();
  }
  return [...kinds]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, { oldest, ...counts }]) => ({
      kind,
      ...counts,
      oldest_waiting_since: oldest === null ? null : toTimestamp(oldest),
    }));
}

/** Counts the jobs after one, in the order of their ids. Numbers come as text on PostgreSQL. */
async function countPiece(db: Db, now: number, after: JobId) {
  const at = sql.lit(now);
  const running = sql`failed_at is null and leased_until > ${at}`;
  const free = sql`failed_at is null and (leased_until is null or leased_until <= ${at})`;
  const countWhere = (condition: ReturnType<typeof sql>) =>
    sql<number | string>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
  return db
    .selectFrom(
      db.selectFrom('jobs').selectAll().where('id', '>', after).orderBy('id').limit(jobsAtOnce).as('piece'),
    )
    .select([
      'kind',
      countWhere(sql`${free} and run_at <= ${at}`).as('waiting'),
      countWhere(running).as('running'),
      countWhere(sql`${free} and run_at > ${at}`).as('later'),
      countWhere(sql`failed_at is not null`).as('failed'),
      sql<number | string | null>`min(case when ${free} and run_at <= ${at} then run_at end)`.as('oldest'),
      sql<number | string>`count(*)`.as('jobs'),
      sql<JobId>`max(id)`.as('last'),
    ])
    .groupBy('kind')
    .execute();
}

/** Returns the jobs that were given up, the newest first. */
export async function findFailedJobs(db: Db, limit: number) {
  const rows = await db
    .selectFrom('jobs')
    .select(['kind', 'ref', 'attempts', 'last_error', 'failed_at'])
    .where('failed_at', 'is not', null)
    .$narrowType<{ failed_at: NotNull }>()
    .orderBy('failed_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ last_error, failed_at, ...job }) => ({
    ...job,
    error: last_error,
    failed_at: toTimestamp(failed_at),
  }));
}
