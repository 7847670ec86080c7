import { existsSync } from 'node:fs';
import { CommandError } from '../command-line.ts';
import type { Config } from '../config.ts';
import { databaseSettings } from '../open-platform.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { openDatabase } from '../platform/db/database.ts';
import { appliedMigrations } from '../platform/db/migrate.ts';
import { findSetting } from '../platform/db/swapped-setting.queries.ts';
import { linkKey } from '../platform/secrets/installation-keys.ts';

/** The service was never started with these settings. */
export class NotInstalled extends CommandError {
  constructor(where: string) {
    super(
      `Nothing was ever started with these settings (${where}), so there is nothing to look at. Start the service, restore a backup, or correct them.`,
    );
  }
}

/**
 * Checks that there is an installation, without making one: a backup could not be restored into it any more.
 * @throws `NotInstalled`; what keeps the database from being opened
 */
export async function requireInstallation(config: Config): Promise<void> {
  const settings = databaseSettings(config);
  // Opening the file would create it.
  if (settings.url === null && !existsSync(settings.file)) throw new NotInstalled(settings.file);
  const database = await openDatabase(settings, { clock: systemClock, config });
  try {
    const hasTables = (await appliedMigrations(database.db)).length > 0;
    if (!hasTables || (await findSetting(database.db, linkKey)) === null)
      throw new NotInstalled('the database is empty');
  } finally {
    await database.close();
  }
}
