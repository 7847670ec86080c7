import { sweepAccounts } from './accounts/sweep.ts';
import { sweepBackups } from './backups/backup-job.ts';
import { sweepDeletedSpaces } from './deleting/purge-spaces.ts';
import { sweepDomains } from './domains/domain-job.ts';
import { sweepGuests } from './guests/sweep.ts';
import { sweepOAuth } from './oauth/sweep.ts';
import { sweepAuditLog } from './operators/audit-log.ts';
import { createLeapGuard } from './platform/clock/leap.ts';
import type { Platform } from './platform/context.ts';
import { noteUse } from './platform/db/last-seen.ts';
import { sweepJobs } from './platform/jobs/wrong-clock.ts';
import { sweepRateHits } from './platform/limits/rate-limit.ts';
import { sweepUsedRuns } from './player-calls/used-runs.ts';
import type { Players } from './players/players.ts';
import { sweepRooms } from './rooms/rooms.ts';
import { sweepLosers } from './saves/losers.ts';
import { deleteSavesOf } from './saves/saves.ts';
import { refreshStatistics } from './search/common.ts';
import { mergeSearch } from './search/merge.ts';
import { sweepIdempotentAnswers } from './server-calls/idempotency.ts';
import { sweepTelemetry } from './telemetry/sweep.ts';
import { sweepUnlistedPages } from './unlisted/expiry.ts';
import { type Collected, collectBlobs } from './versions/collector.ts';
import { sweepCreateKeys } from './versions/create-keys.ts';
import { sweepVersions } from './versions/retention.ts';
import { scrubFiles } from './versions/scrub.ts';
import { sweepDeliveries } from './webhooks/deliveries.ts';

const sweepEveryMs = 10 * 60_000;
const collectEveryMs = 6 * 3_600_000;

export type Swept = { versions: number } & Collected;

type Sweep = Readonly<Record<string, () => Promise<unknown>>>;

export interface Sweeps {
  /**
   * Runs all sweeps: they repair and delete leftovers.
   * @throws AggregateError if some failed; they were logged, and the others ran
   */
  all(): Promise<Swept>;
  /**
   * Starts sweeping by the real clock, which deletes only while it is believed (`createLeapGuard`). Returns a function
   * that stops it.
   */
  start(): () => void;
}

/** Creates the sweeps, which delete what has expired or what a killed process left behind. */
export function createSweeps(platform: Platform, players: Players): Sweeps {
  const { database, clock, log, closing } = platform;

  /** Those that delete for good what is old by the clock. */
  const deleting: Sweep = {
    unlistedPages: () => sweepUnlistedPages(platform),
    deletedSpaces: () => sweepDeletedSpaces(platform),
    rateHits: () => sweepRateHits(database, clock.now()),
    idempotentAnswers: () => sweepIdempotentAnswers(database, clock.now()),
    createKeys: () => sweepCreateKeys(database, clock.now()),
    usedRuns: () => sweepUsedRuns(platform),
    accounts: () => sweepAccounts(platform),
    oauth: () => sweepOAuth(platform),
    guests: () => sweepGuests(platform, deleteSavesOf),
    losers: () => sweepLosers(platform),
    telemetry: () => sweepTelemetry(platform),
    deliveries: () => sweepDeliveries(platform),
    auditLog: () => sweepAuditLog(platform),
  };
  /** Those that repair, or delete what nobody misses. */
  const mending: Sweep = {
    rooms: () => sweepRooms(platform),
    keys: () => players.keys.rotate(),
    store: () => platform.store.sweep(),
    jobs: () => sweepJobs(platform),
    scrub: () => scrubFiles(platform),
    backups: () => sweepBackups(platform),
    search: () => mergeSearch(database),
    domains: () => sweepDomains(platform),
  };

  /** Runs a sweep, and logs its failure. What fails once may fail every time: the others must go on without it. */
  const logged = <T>(what: string, sweep: () => Promise<T>, failed: unknown[] = []): Promise<T | null> =>
    sweep().catch((error: unknown) => {
      // The end of the service closes the database of a sweep that is under way. The next start sweeps again.
      if (!closing.aborted) log.warn({ err: error, sweep: what }, 'sweep failed');
      failed.push(error);
      return null;
    });

  async function all(): Promise<Swept> {
    const failed: unknown[] = [];
    const tried = <T>(what: string, sweep: () => Promise<T>) => logged(what, sweep, failed);
    for (const [what, sweep] of Object.entries({ ...deleting, ...mending })) await tried(what, sweep);
    const versions = await tried('versions', () => sweepVersions(platform));
    const collected = await tried('files', () => collectBlobs(platform));
    if (versions === null || collected === null || failed.length > 0)
      throw new AggregateError(failed, `${failed.length} sweeps failed`);
    return { versions, ...collected };
  }

  /** Frequent sweeps: for pages and previews, whose end people see. */
  const deletingOften: Sweep = {
    unlistedPages: () => sweepUnlistedPages(platform),
    versions: () => sweepVersions(platform),
  };
  /** Frequent sweeps that do a little at a time. */
  const mendingOften: Sweep = {
    lastSeen: () => noteUse(platform),
    jobs: () => sweepJobs(platform),
    scrub: () => scrubFiles(platform),
    backups: () => sweepBackups(platform),
    search: () => mergeSearch(database),
    statistics: () => refreshStatistics(database.db),
    domains: () => sweepDomains(platform),
  };

  return {
    all,
    start() {
      const isBelieved = createLeapGuard(platform);
      const mayDelete = async () => (await logged('clock', isBelieved)) === true;
      const runAll = (sweeps: Sweep) =>
        Object.entries(sweeps).forEach(([what, sweep]) => void logged(what, sweep));
      const frequently = async () => {
        runAll(mendingOften);
        if (await mayDelete()) runAll(deletingOften);
      };
      const thoroughly = async () => {
        // Failures were logged already.
        if (await mayDelete()) await all().catch(() => {});
        else for (const [what, sweep] of Object.entries(mending)) await logged(what, sweep);
      };
      // A clock is often put right right after a machine has started, and the service with it.
      void logged('jobs', () => sweepJobs(platform));
      const timers = [
        setInterval(() => void frequently(), sweepEveryMs),
        // Also for a service that never runs for six hours at a time.
        setTimeout(() => void thoroughly(), sweepEveryMs),
        setInterval(() => void thoroughly(), collectEveryMs),
      ];
      for (const timer of timers) timer.unref();
      return () => timers.forEach(clearTimeout);
    },
  };
}
