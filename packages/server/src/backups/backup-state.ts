import { z } from 'zod';
import type { Platform } from '../platform/context.ts';
import { findSetting, swapSetting } from '../platform/db/swapped-setting.queries.ts';

const setting = 'backup';

/** Instants in epoch milliseconds. */
const stateSchema = z.object({
  /** Until then the one who takes a backup has the place for itself. */
  leasedUntil: z.number().nullable(),
  /** Of the last one that came to an end. */
  last: z.object({ begunAt: z.number(), error: z.string().nullable() }).nullable(),
  /** The newest that is whole. */
  whole: z
    .object({
      id: z.string(),
      madeAt: z.number(),
      files: z.number(),
      bytes: z.number(),
      copied: z.number(),
      lost: z.number(),
    })
    .nullable(),
  /** When files that no backup names were last taken out. */
  sweptAt: z.number(),
});
export type BackupState = z.output<typeof stateSchema>;

const atFirst: BackupState = { leasedUntil: null, last: null, whole: null, sweptAt: 0 };

/** How the backups are that the service takes by itself, and what is written there of it. */
export async function readBackupState({
  database,
}: Pick<Platform, 'database'>): Promise<{ written: string | null; state: BackupState }> {
  const written = await findSetting(database.db, setting);
  return { written, state: written === null ? atFirst : stateSchema.parse(JSON.parse(written)) };
}

/** Returns what is written now; null where it was not `from` any more. */
export async function writeBackupState(
  { database }: Pick<Platform, 'database'>,
  from: string | null,
  to: BackupState,
): Promise<string | null> {
  const value = JSON.stringify(to);
  return (await swapSetting(database.db, setting, from, value)) ? value : null;
}
