import type { AnswerOf } from '@spaceport/contract/operation';
import type { readServiceHealth } from '@spaceport/contract/service-health';
import { Gauge, type Registry } from 'prom-client';
import { toTimestamp } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { ageOf, type BackupState, isLeased, readBackupState } from './backup-state.ts';

type BackupHealth = AnswerOf<typeof readServiceHealth>['backup'];

/** How long a backup may be overdue: it is requested every ten minutes, and takes some time. */
const patienceMs = 30 * 60_000;

/** Returns the health of the backups that the service takes by itself. */
export async function readBackupHealth(
  platform: Pick<Platform, 'config' | 'database' | 'clock'>,
): Promise<BackupHealth> {
  const { config, clock } = platform;
  const now = clock.now();
  const { state } = await readBackupState(platform);
  const { whole, last } = state;
  return {
    state: wordFor(config, state, now),
    running: isLeased(state, now),
    error: last?.error ?? null,
    newest: whole && {
      id: whole.id,
      made_at: toTimestamp(whole.madeAt),
      files: whole.files,
      bytes: whole.bytes,
      copied: whole.copied,
      lost: whole.lost,
    },
  };
}

/** Returns the most important fact in one word. */
function wordFor(
  { BACKUP_TO, BACKUP_EVERY }: Platform['config'],
  { last, whole }: BackupState,
  now: number,
): BackupHealth['state'] {
  if (BACKUP_TO === null) return 'off';
  if (typeof last?.error === 'string') return 'failed';
  if (whole === null) return 'none';
  const age = ageOf(whole, now);
  return age === null || age > 2 * BACKUP_EVERY * 1000 + patienceMs ? 'late' : 'ok';
}

/** Adds metrics for alerts. They are absent if no backups are configured, and while the database is down. */
export function showBackups(registry: Registry, platform: Platform): void {
  const { config, clock } = platform;
  if (config.BACKUP_TO === null) return;
  const startedAt = clock.now();
  new Gauge({
    name: 'spaceport_backup_every_seconds',
    help: 'How often a backup is to be taken.',
    registers: [registry],
    aggregator: 'max',
  }).set(config.BACKUP_EVERY);
  new Gauge({
    name: 'spaceport_backup_age_seconds',
    help: 'How old the newest backup is; of a service that has none yet, how long it has been without.',
    registers: [registry],
    aggregator: 'max',
    async collect() {
      const found = await readBackupState(platform).catch(() => null);
      if (found === null) return this.reset();
      const { whole } = found.state;
      const now = clock.now();
      const age = (whole && ageOf(whole, now)) ?? Math.max(0, now - startedAt);
      this.set(age / 1000);
    },
  });
}
