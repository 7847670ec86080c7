import { type NotNull, sql } from 'kysely';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Db } from '../platform/db/schema.ts';

/** Counts jobs by kind. Every job is either failed, running (leased), waiting (due) or later. */
export async function countJobs(db: Db, now: number) {
  const at = sql.lit(now);
  const running = sql`failed_at is null and leased_until > ${at}`;
  const free = sql`failed_at is null and (leased_until is null or leased_until <= ${at})`;
  const countWhere = (condition: ReturnType<typeof sql>) =>
    sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
  const rows = await db
    .selectFrom('jobs')
    .select([
      'kind',
      countWhere(sql`${free} and run_at <= ${at}`).as('waiting'),
      countWhere(running).as('running'),
      countWhere(sql`${free} and run_at > ${at}`).as('later'),
      countWhere(sql`failed_at is not null`).as('failed'),
      sql<number | null>`min(case when ${free} and run_at <= ${at} then run_at end)`.as('oldest'),
    ])
    .groupBy('kind')
    .orderBy('kind')
    .execute();
  return rows.map(({ kind, oldest, waiting, running: leased, later, failed }) => ({
    kind,
    waiting: Number(waiting),
    running: Number(leased),
    later: Number(later),
    failed: Number(failed),
    oldest_waiting_since: oldest === null ? null : toTimestamp(Number(oldest)),
  }));
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
