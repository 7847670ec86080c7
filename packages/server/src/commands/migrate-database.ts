import { readConfig } from '../config.ts';
import { databaseSettings, keepDataPrivate } from '../open-platform.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { openDatabase } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';

export async function migrateDatabase(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(environment);
  await keepDataPrivate(config);
  const settings = { ...databaseSettings(config), maxConnections: 2 };
  const database = await openDatabase(settings, { clock: systemClock, config });
  try {
    await database.patiently((db) => migrate(db));
    console.log('The database has the newest schema.');
  } finally {
    await database.close();
  }
}
