import { z } from 'zod';
import { mostAheadMs } from '../platform/clock/clock.ts';
import type { Platform } from '../platform/context.ts';
import { findSetting, swapSetting } from '../platform/db/swapped-setting.queries.ts';

const setting = 'backup';

/** A process that takes a backup renews its lease well within this time. */
export const leaseMs = 5 * 60_000;

/** Instants in epoch milliseconds. */
const stateSchema = z.object({
  /** The end of the lease of the process that takes a backup; null if none does. */
  leasedUntil: z.number().nullable(),
  /** The last backup that ended, with its error if it failed. */
  last: z.object({ begunAt: z.number(), error: z.string().nullable() }).nullable(),
  /** The newest complete backup. */
  whole: z
    .object({
      id: z.string(),
      madeAt: z.number(),
      files: z.number(),
      bytes: z.number(),
      copied: z.number(),
      lost: z.number(),
      /** The name of its place; absent if an earlier version took it. */
      place: z.string().optional(),
    })
    .nullable(),
  /** When files that no backup names were last deleted. */
  sweptAt: z.number(),
});
export type BackupState = z.output<typeof stateSchema>;

const atFirst: BackupState = { leasedUntil: null, last: null, whole: null, sweptAt: 0 };

/** Returns the state of the service's own backups, with the text as it is stored. */
export async function readBackupState({
  database,
}: Pick<Platform, 'database'>): Promise<{ written: string | null; state: BackupState }> {
  const written = await findSetting(database.db, setting);
  return { written, state: written === null ? atFirst : stateSchema.parse(JSON.parse(written)) };
}

/** Writes the state. Returns the new stored text; null if the stored text was not `from` any more. */
export async function writeBackupState(
  { database }: Pick<Platform, 'database'>,
  from: string | null,
  to: BackupState,
): Promise<string | null> {
  const value = JSON.stringify(to);
  return (await swapSetting(database.db, setting, from, value)) ? value : null;
}

/** Returns whether a process takes a backup now. */
export function isLeased({ leasedUntil }: BackupState, now: number): boolean {
  return leasedUntil !== null && leasedUntil > now && leasedUntil <= now + leaseMs + mostAheadMs;
}

/** Returns the age in milliseconds of the newest complete backup; null if a clock that was wrong dated it. */
export function ageOf({ madeAt }: NonNullable<BackupState['whole']>, now: number): number | null {
  return madeAt > now + mostAheadMs ? null : Math.max(0, now - madeAt);
}
