import type { Db } from './schema.ts';
import { findSetting, swapSetting } from './swapped-setting.queries.ts';

/**
 * The last migration of the release before this version. Programs that do not know it may break on the schema of this
 * version, and may write what this one does not understand.
 */
export const oldestKnown = '0044-domains';

/** The setting with the migration that a program must know to run on the database. */
const settingName = 'oldest_program';

/** The database has been used by a program that is more than one version newer. */
export class SchemaTooNew extends Error {}

/** What an operator can do about it. */
export const schemaAdvice =
  'Start the version that ran here last, or the one before it; or restore a backup of this version into an empty installation.';

/**
 * Requires that no program has used the database that is more than one version newer.
 * @param newest the newest migration that this program knows
 * @throws `SchemaTooNew`
 */
export async function requireRecent(db: Db, newest: string): Promise<void> {
  const needed = await findSetting(db, settingName);
  if (needed === null || needed <= newest) return;
  throw new SchemaTooNew(
    `A version of Spaceport has used the database that is more than one version newer: this one does not know ${needed}`,
  );
}

/** Writes for older programs that this version uses the database. A newer version may have written before. */
export async function tellOlder(db: Db): Promise<void> {
  for (;;) {
    const told = await findSetting(db, settingName);
    if (told !== null && told >= oldestKnown) return;
    if (await swapSetting(db, settingName, told, oldestKnown)) return;
  }
}
