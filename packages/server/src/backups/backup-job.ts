import type { BackupSource } from '../platform/backup/backup.ts';
import type { Platform } from '../platform/context.ts';
import type { JobKind } from '../platform/jobs/queue.ts';
import { BackupBusy } from './backup-lease.ts';
import { readBackupState } from './backup-state.ts';
import { isBackupDue, takeOwnBackup } from './take-own-backup.ts';

const kind = 'backup';

/**
 * Makes the job that takes a backup. Its result is written into the backup state, and after a failure the
 * next sweep requests another one.
 */
export function createBackupJob(platform: Platform, rows: BackupSource['database']): JobKind {
  return {
    kind,
    timeoutSeconds: 6 * 3600,
    maxAttempts: 3,
    concurrency: 1,
    async run({ signal }) {
      const { config, log } = platform;
      if (config.BACKUP_TO === null) return;
      try {
        const { manifest, copied } = await takeOwnBackup(platform, rows, { signal });
        log.info({ madeAt: manifest.made_at, files: manifest.blobs.count, copied }, 'backup taken');
      } catch (error) {
        if (signal.aborted) throw error;
        if (error instanceof BackupBusy) return;
        log.error({ err: error }, 'backup failed');
      }
    },
  };
}

/** Requests a backup if one is due. */
export async function sweepBackups(platform: Platform): Promise<void> {
  const { config, clock, database } = platform;
  if (config.BACKUP_TO === null) return;
  const { state } = await readBackupState(platform);
  if (!isBackupDue(config, state, clock.now())) return;
  await database.transaction((tx) => tx.enqueue(kind, 'own'));
}
