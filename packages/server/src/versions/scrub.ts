import { z } from 'zod';
import { blobKeyColumns } from '../platform/blobs/key-columns.ts';
import { sizeIfThere } from '../platform/blobs/size-if-there.ts';
import { type FileState, verifyFile } from '../platform/blobs/verify-file.ts';
import type { Platform } from '../platform/context.ts';
import { findSetting, swapSetting } from '../platform/db/swapped-setting.queries.ts';
import { clearDamage, countFiles, dropForm, listKeys, readDamage, recordDamage } from './damage.queries.ts';

const dayMs = 24 * 3_600_000;
const page = 200;
const looksAtOnce = 8;
const setting = 'scrub';

/**
 * The progress of the scrub: the column of `blobKeyColumns`, the last key read there, and when that key was
 * due.
 */
const progressSchema = z.object({ column: z.number(), after: z.string(), at: z.number() });
type Progress = z.output<typeof progressSchema>;

/**
 * Reads the stored files that have become due since the last run, so that each is read once in SCRUB_DAYS.
 * Records files that are missing or do not match their hash. Several nodes may call this: only one of them
 * reads. Stops early if the store is not available. Returns the number of files read.
 */
export async function scrubFiles(platform: Platform): Promise<number> {
  const { database, clock, config, log } = platform;
  if (config.SCRUB_DAYS === 0) return 0;
  const now = clock.now();
  const held = await readProgress(platform, now);
  const total = await countFiles(database.db);
  const msOfOne = (config.SCRUB_DAYS * dayMs) / Math.max(1, total);
  const due = Math.min(total, Math.floor((now - held.progress.at) / msOfOne));
  if (due === 0 && held.value !== null) return 0;
  // The remaining time counts for the next run. A service that was off does not read twice as much.
  const at = due === total ? now : held.progress.at + Math.round(due * msOfOne);
  const begun = await swap(platform, held.value, { ...held.progress, at });
  if (begun === null) return 0;
  let { column, after } = held.progress;
  let read = 0;
  let emptyInARow = 0;
  try {
    // Once more than there are columns: the first one was empty only behind the last key read.
    while (read < due && emptyInARow <= blobKeyColumns.length) {
      const keys = await listKeys(database.db, column, after, Math.min(page, due - read));
      emptyInARow = keys.length === 0 ? emptyInARow + 1 : 0;
      if (keys.length === 0) {
        column = (column + 1) % blobKeyColumns.length;
        after = '';
        continue;
      }
      for (const key of keys) {
        await lookAt(platform, key);
        after = key;
        read++;
      }
    }
  } catch (error) {
    log.warn({ err: error, read }, 'scrub broken off');
  }
  await swap(platform, begun, { column, after, at });
  return read;
}

/**
 * Reads one file and records its state. A lost compressed form is dropped, since the file itself remains.
 * @throws `StoreUnavailable`
 */
export async function lookAt({ database, store, clock, log }: Platform, key: string): Promise<FileState> {
  const state = await verifyFile(store, key);
  const dropped =
    state !== 'ok' &&
    (await database.transaction(async (tx) => {
      if (!(await dropForm(tx, key))) return false;
      tx.announce('space', '*');
      return true;
    }));
  if (dropped) {
    log.warn({ key, problem: state }, 'a compressed form was lost, and is made anew');
    return 'ok';
  }
  if (state === 'ok') {
    await clearDamage(database.db, [key]);
    return 'ok';
  }
  // Since its key was listed the file was deleted, or stored again under another key: nothing is lost.
  if (!(await recordDamage(database.db, key, state, clock.now()))) return 'ok';
  log.error({ key, problem: state }, 'a stored file is lost: the next create asks for it again');
  return state;
}

/**
 * Returns the paths whose files the store does not have, or has with another size. Creates ask for them again
 * from now on.
 * @throws `StoreUnavailable`
 */
export async function findLost(
  { database, store, clock }: Platform,
  files: readonly { path: string; key: string; size: number }[],
): Promise<string[]> {
  const lost: string[] = [];
  const rest = files.values();
  const look = async () => {
    for (const { path, key, size } of rest) {
      const stored = await sizeIfThere(store, key);
      if (stored === size) continue;
      await recordDamage(database.db, key, stored === null ? 'missing' : 'damaged', clock.now());
      lost.push(path);
    }
  };
  await Promise.all(Array.from({ length: looksAtOnce }, look));
  return lost.sort();
}

const damageShown = 100;

/** Returns how many stored files are known to be missing or damaged, and those that were found first. */
export function findDamage({ database }: Pick<Platform, 'database'>) {
  return readDamage(database.db, damageShown);
}

async function readProgress(
  { database }: Platform,
  now: number,
): Promise<{ value: string | null; progress: Progress }> {
  const value = await findSetting(database.db, setting);
  if (value === null) return { value, progress: { column: 0, after: '', at: now } };
  return { value, progress: progressSchema.parse(JSON.parse(value)) };
}

/** Writes the progress if it is still `from`. Returns the text written, or null if another node was first. */
async function swap({ database }: Platform, from: string | null, to: Progress): Promise<string | null> {
  const value = JSON.stringify(to);
  return (await swapSetting(database.db, setting, from, value)) ? value : null;
}
