import { sweepAccounts } from './accounts/sweep.ts';
import { sweepBackups } from './backups/backup-job.ts';
import { sweepDeletedSpaces } from './deleting/purge-spaces.ts';
import { sweepDomains } from './domains/domain-job.ts';
import { sweepGuests } from './guests/sweep.ts';
import { sweepOAuth } from './oauth/sweep.ts';
import { sweepAuditLog } from './operators/audit-log.ts';
import type { Platform } from './platform/context.ts';
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
import { sweepVersions } from './versions/retention.ts';
import { scrubFiles } from './versions/scrub.ts';
import { sweepDeliveries } from './webhooks/deliveries.ts';

const sweepEveryMs = 10 * 60_000;
const collectEveryMs = 6 * 3_600_000;

export type Swept = { versions: number } & Collected;

export interface Sweeps {
  /** Runs all sweeps: they repair and delete leftovers. */
  all(): Promise<Swept>;
  /** Starts sweeping by the real clock. Returns a function that stops it. */
  start(): () => void;
}

/** Creates the sweeps, which delete what has expired or what a killed process left behind. */
export function createSweeps(platform: Platform, players: Players): Sweeps {
  const { database, clock, log } = platform;

  async function all(): Promise<Swept> {
    await sweepUnlistedPages(platform);
    await sweepDeletedSpaces(platform);
    const versions = await sweepVersions(platform);
    await sweepRateHits(database, clock.now());
    await sweepIdempotentAnswers(database, clock.now());
    await sweepUsedRuns(platform);
    await sweepAccounts(platform);
    await sweepOAuth(platform);
    await sweepGuests(platform, deleteSavesOf);
    await sweepLosers(platform);
    await sweepRooms(platform);
    await sweepTelemetry(platform);
    await sweepDeliveries(platform);
    await sweepAuditLog(platform);
    await players.keys.rotate();
    await platform.store.sweep();
    await scrubFiles(platform);
    await sweepBackups(platform);
    await mergeSearch(database);
    await sweepDomains(platform);
    return { versions, ...(await collectBlobs(platform)) };
  }

  /**
   * Frequent sweeps: those for pages and previews, whose end people see, and those
   * that do a little at a time.
   */
  const often = () =>
    Promise.all([
      sweepUnlistedPages(platform),
      sweepVersions(platform),
      scrubFiles(platform),
      sweepBackups(platform),
      mergeSearch(database),
      refreshStatistics(database.db),
      sweepDomains(platform),
    ]);

  return {
    all,
    start() {
      const quietly = (work: () => Promise<unknown>) => () =>
        void work().catch((error) => log.warn({ err: error }, 'sweep failed'));
      const timers = [setInterval(quietly(often), sweepEveryMs), setInterval(quietly(all), collectEveryMs)];
      for (const timer of timers) timer.unref();
      return () => timers.forEach(clearInterval);
    },
  };
}
