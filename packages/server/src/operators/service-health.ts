import type { AnswerOf } from '@spaceport/contract/operation';
import type { readServiceHealth } from '@spaceport/contract/service-health';
import { readBackupHealth } from '../backups/backup-health.ts';
import { browserAgeDays, isOldBrowser } from '../platform/browser/browser-age.ts';
import type { BrowserState } from '../platform/browser/pool.ts';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { findDamage } from '../versions/scrub.ts';
import { countJobs, findFailedJobs } from './jobs.queries.ts';
import { countOpenReports } from './reports.queries.ts';
import { countOpenReviews } from './reviews.queries.ts';

const failuresShown = 50;

/**
 * Returns the state of the service: waiting work, jobs that failed for good, and whether
 * database and store answer.
 */
export async function readHealth(platform: Platform): Promise<AnswerOf<typeof readServiceHealth>> {
  const { database, store, clock, together } = platform;
  const { db } = database;
  const answers = (ping: Promise<void>) => ping.then(() => 'ok' as const).catch(() => 'unavailable' as const);
  const [databaseState, storeState, openReviews, openReports, jobs, failed, lost, backup, browser, states] =
    await Promise.all([
      answers(database.ping()),
      answers(store.ping()),
      countOpenReviews(db),
      countOpenReports(db),
      countJobs(db, clock.now()),
      findFailedJobs(db, failuresShown),
      findDamage(platform),
      readBackupHealth(platform),
      browserState(platform),
      together.states(),
    ]);
  return {
    database: databaseState,
    store: storeState,
    browser: browserHealth(browser, clock.now()),
    processes: states
      .toSorted((one, other) => one.number - other.number)
      .map(({ number, startedAt, memoryBytes, runsJobs, restarts }) => ({
        number,
        started_at: toTimestamp(startedAt),
        memory_bytes: memoryBytes,
        runs_jobs: runsJobs,
        restarts,
      })),
    backup,
    open_reviews: openReviews,
    open_reports: openReports,
    jobs,
    lost_count: lost.count,
    lost_files: lost.first.map(({ found_at, ...file }) => ({ ...file, found_at: toTimestamp(found_at) })),
    failed_jobs: failed,
  };
}

/** Returns the state of the browser. One that is not known to be ready is tried meanwhile, for the next look. */
export async function browserState({
  together,
}: Pick<Platform, 'together'>): Promise<BrowserState | { readonly is: 'elsewhere' }> {
  const state = await together.browser();
  if (state !== null && state.is !== 'ready') void together.canTakePictures().catch(() => false);
  return state ?? { is: 'elsewhere' };
}

function browserHealth(
  state: BrowserState | { readonly is: 'elsewhere' },
  now: number,
): AnswerOf<typeof readServiceHealth>['browser'] {
  const unknown = { version: null, from: null, age_days: null, sandbox: null, reason: null };
  if (state.is === 'off' || state.is === 'failing')
    return { ...unknown, state: state.is, reason: state.reason };
  if (state.is !== 'ready') return { ...unknown, state: state.is };
  const { from, version, sandbox, isRoot } = state;
  const age_days = browserAgeDays(version, now);
  const complaints = [
    ...(sandbox ? [] : ['Pages are opened without a sandbox, because BROWSER_SANDBOX is off.']),
    ...(isRoot ? ['The browser runs as root.'] : []),
    ...(isOldBrowser(version, now)
      ? [
          'This Chromium is old: bugs that were fixed since then can be used against this machine. Install a newer one.',
        ]
      : []),
  ];
  const reason = complaints.length === 0 ? null : complaints.join(' ');
  return { state: 'ready', version, from, age_days, sandbox, reason };
}
