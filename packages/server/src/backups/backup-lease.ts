import { BackupError } from '../platform/backup/layout.ts';
import type { Platform } from '../platform/context.ts';
import { type BackupState, isLeased, leaseMs, readBackupState, writeBackupState } from './backup-state.ts';

/** Another process takes a backup now. */
export class BackupBusy extends BackupError {}

/** The database could not be told in time that the backup goes on, so that another process may begin one. */
export class LeaseLost extends BackupError {
  constructor(cause: unknown) {
    super('The database did not answer for as long as a backup may go on without it', { cause });
  }
}

export interface Lease {
  /** The state as it was before. */
  readonly state: BackupState;
  /**
   * Renews the lease. If the database does not answer, the lease goes on until its end.
   * @throws `BackupBusy` if another process has it, `LeaseLost` if it has ended
   */
  renew(now: number): Promise<void>;
  /** Gives the lease back, with a change of the state. */
  end(change: Partial<BackupState>): Promise<void>;
}

/**
 * Takes the lease of the service's own backups, over all nodes and `admin`.
 * @throws `BackupBusy`
 */
export async function takeLease(platform: Pick<Platform, 'database'>, now: number): Promise<Lease> {
  const { written: before, state } = await readBackupState(platform);
  let leasedUntil = now + leaseMs;
  const taken = isLeased(state, now)
    ? null
    : await writeBackupState(platform, before, { ...state, leasedUntil });
  if (taken === null) throw new BackupBusy('Another backup is being taken now.');
  /** What may be stored: a write whose answer was lost may have been made. */
  let held = [taken];
  const write = async (next: BackupState) => {
    held = [...held, JSON.stringify(next)];
    for (const from of held) {
      const written = await writeBackupState(platform, from, next);
      if (written === null) continue;
      held = [written];
      return;
    }
    throw new BackupBusy('Another process has begun a backup meanwhile.');
  };
  // One at a time: each write replaces the one before.
  let writes = Promise.resolve();
  const inTurn = (next: BackupState) => {
    const written = writes.then(() => write(next));
    writes = written.catch(() => {});
    return written;
  };
  let isGivenBack = false;
  return {
    state,
    async renew(at) {
      // It would write the state from before over the result.
      if (isGivenBack) return;
      try {
        await inTurn({ ...state, leasedUntil: at + leaseMs });
        leasedUntil = at + leaseMs;
      } catch (error) {
        if (error instanceof BackupBusy) throw error;
        if (at >= leasedUntil) throw new LeaseLost(error);
      }
    },
    end(change) {
      isGivenBack = true;
      return inTurn({ ...state, ...change, leasedUntil: null });
    },
  };
}
