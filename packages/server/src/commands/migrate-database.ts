import { join } from 'node:path';
import { readConfig } from '../config.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { openDatabase } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';

export async function migrateDatabase(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(environment);
  const database = await openDatabase(
    {
      url: config.DATABASE_URL,
      file: join(config.DATA_DIR, 'spaceport.db'),
      maxConnections: 2,
    },
    { clock: systemClock, config },
  );
  try {
    await database.patiently((db) => migrate(db));
    console.log('The database has the newest schema.');
  } finally {
    await database.close();
  }
}
