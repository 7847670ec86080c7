import type { AnswerOf } from '@spaceport/contract/operation';
import type { readServiceHealth } from '@spaceport/contract/operators';
import { sql } from 'kysely';
import { browserAgeDays } from '../platform/browser/browser-age.ts';
import type { BrowserState } from '../platform/browser/pool.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import type { Db } from '../platform/db/schema.ts';
import { findDamage } from '../versions/scrub.ts';
import { countOpenReports } from './reports.queries.ts';
import { countOpenReviews } from './reviews.queries.ts';

const failuresShown = 50;
/** Chromium comes out every two weeks; a distribution takes a few more, npm's build some again. */
const oldDays = 60;

/** How the service is: what waits, what has failed for good, and whether database and store answer. */
export async function readHealth(
  platform: Platform,
  browserState: () => BrowserState | { readonly is: 'elsewhere' },
): Promise<AnswerOf<typeof readServiceHealth>> {
  const { database, store, clock } = platform;
  const { db } = database;
  const answers = (ping: Promise<void>) => ping.then(() => 'ok' as const).catch(() => 'unavailable' as const);
  const [databaseState, storeState, openReviews, openReports, jobs, failed, lost] = await Promise.all([
    answers(database.ping()),
    answers(store.ping()),
    countOpenReviews(db),
    countOpenReports(db),
    countJobs(db, clock.now()),
    findFailedJobs(db),
    findDamage(platform),
  ]);
  return {
    database: databaseState,
    store: storeState,
    browser: browserHealth(browserState(), clock.now()),
    open_reviews: openReviews,
    open_reports: openReports,
    jobs,
    lost_files: lost.map(({ found_at, ...file }) => ({ ...file, found_at: toTimestamp(found_at) })),
    failed_jobs: failed,
  };
}

function browserHealth(
  state: BrowserState | { readonly is: 'elsewhere' },
  now: number,
): AnswerOf<typeof readServiceHealth>['browser'] {
  const unknown = { version: null, from: null, age_days: null, sandbox: null, reason: null };
  if (state.is === 'off') return { ...unknown, state: 'off', reason: state.reason };
  if (state.is !== 'ready') return { ...unknown, state: state.is };
  const { from, version, sandbox, isRoot } = state;
  const age_days = browserAgeDays(version, now);
  const complaints = [
    ...(sandbox ? [] : ['Pages are opened without a sandbox, because BROWSER_SANDBOX is off.']),
    ...(isRoot ? ['The browser runs as root.'] : []),
    ...((age_days ?? 0) > oldDays
      ? [
          'This Chromium is old: what was mended in it since then can be used against this machine. Install a newer one.',
        ]
      : []),
  ];
  const reason = complaints.length === 0 ? null : complaints.join(' ');
  return { state: 'ready', version, from, age_days, sandbox, reason };
}

/** Every job is one of failed, running (leased), waiting (due) and later. */
async function countJobs(db: Db, now: number) {
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

async function findFailedJobs(db: Db) {
  const rows = await db
    .selectFrom('jobs')
    .select(['kind', 'ref', 'attempts', 'last_error', 'failed_at'])
    .where('failed_at', 'is not', null)
    .orderBy('failed_at', 'desc')
    .limit(failuresShown)
    .execute();
  return rows.map(({ last_error, failed_at, ...job }) => ({
    ...job,
    error: last_error,
    failed_at: toTimestamp(failed_at ?? 0),
  }));
}
