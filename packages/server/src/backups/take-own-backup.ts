import type { Config } from '../config.ts';
import { type BackupAnswer, type BackupSource, takeBackup } from '../platform/backup/backup.ts';
import { BackupError, idOf, listBackups } from '../platform/backup/layout.ts';
import { withBackupPlace } from '../platform/backup/open-place.ts';
import type { BackupPlace } from '../platform/backup/place.ts';
import type { Platform } from '../platform/context.ts';
import { temporaryFolder } from '../platform/temporary-folder.ts';
import { takeLease } from './backup-lease.ts';
import { type BackupState, isLeased } from './backup-state.ts';
import { keptBy } from './keep-rule.ts';

const renewEveryMs = 60_000;
const sweepEveryMs = 24 * 3_600_000;
const maxErrorLength = 500;

/** The source of the rows. */
type Database = BackupSource['database'];

interface Asked {
  readonly signal?: AbortSignal;
  /** A person asks for it, who may want it in a place that lost the earlier ones. */
  readonly byHand?: boolean;
}

/**
 * Takes a backup to BACKUP_TO, keeps those that BACKUP_KEEP says, and writes the result into the backup
 * state. A lease makes sure that only one is taken at a time, over all nodes and `admin`.
 * @throws `BackupBusy`, `LeaseLost`, and any error of the backup
 */
export async function takeOwnBackup(
  platform: Pick<Platform, 'config' | 'database' | 'store' | 'clock'>,
  rows: Database,
  { signal, byHand = false }: Asked = {},
): Promise<BackupAnswer> {
  const { config, store, clock } = platform;
  const to = config.BACKUP_TO;
  if (to === null) throw new BackupError('BACKUP_TO is not set, so there is no place for backups.');
  const begunAt = clock.now();
  const lease = await takeLease(platform, begunAt);
  const ended = new AbortController();
  const renew = () => lease.renew(clock.now()).catch((error: unknown) => ended.abort(error));
  const renewal = setInterval(() => void renew(), renewEveryMs).unref();
  const { state } = lease;
  // The clock may have been ahead at the last time.
  const dropsFiles = Math.abs(begunAt - state.sweptAt) >= sweepEveryMs;
  const keep = { these: (madeAt: readonly number[]) => keptBy(config.BACKUP_KEEP, madeAt), dropsFiles };
  const either = AbortSignal.any(signal === undefined ? [ended.signal] : [ended.signal, signal]);
  try {
    const { taken, name } = await withBackupPlace(to, temporaryFolder(config), async (place) => {
      if (!byHand) await requireEarlier(place, state);
      return {
        taken: await takeBackup({ database: rows, store, clock }, place, keep, either),
        name: place.name,
      };
    });
    await lease.end({
      last: { begunAt, error: null },
      whole: { ...shortOf(taken), place: name },
      sweptAt: dropsFiles ? begunAt : state.sweptAt,
    });
    return taken;
  } catch (thrown) {
    const error: unknown = ended.signal.aborted ? ended.signal.reason : thrown;
    const failed = { last: { begunAt, error: wordsOf(error) } };
    // If our own shutdown stopped it, it did not fail: it begins again elsewhere.
    await lease.end(signal?.aborted === true ? {} : failed).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

/**
 * The folder of a disk that is not mounted is an empty place. A backup there would fill the disk that it is to
 * outlive.
 */
async function requireEarlier(place: BackupPlace, { whole }: BackupState): Promise<void> {
  if (whole?.place !== place.name || (await listBackups(place)).length > 0) return;
  throw new BackupError(
    `${place.name} has none of the backups that were taken into it. Is its disk mounted? If they were deleted, take one by hand (admin backup).`,
  );
}

function shortOf({ manifest, copied }: BackupAnswer): NonNullable<BackupState['whole']> {
  const { count: files, bytes, missing, damaged } = manifest.blobs;
  const lost = missing.length + damaged.length;
  return { id: idOf(manifest), madeAt: Date.parse(manifest.made_at), files, bytes, copied, lost };
}

/** Returns the messages of an error and its causes: those of an outage are in its cause. */
function wordsOf(error: unknown): string {
  const words: string[] = [];
  for (let next = error; next instanceof Error && words.length < 3; next = next.cause)
    if (next.message !== '') words.push(next.message);
  return (words.join(': ') || String(error)).slice(0, maxErrorLength);
}

/**
 * Returns whether a backup is due. BACKUP_EVERY counts in even steps of the clock, and one is due in each
 * step, even if the last was taken in a later one by a clock that was ahead. After a failure the next one is
 * earlier.
 */
export function isBackupDue(
  { BACKUP_EVERY }: Pick<Config, 'BACKUP_EVERY'>,
  state: BackupState,
  now: number,
): boolean {
  const { last } = state;
  if (isLeased(state, now)) return false;
  if (last === null || last.error !== null) return true;
  const stepMs = BACKUP_EVERY * 1000;
  return Math.floor(now / stepMs) !== Math.floor(last.begunAt / stepMs);
}
