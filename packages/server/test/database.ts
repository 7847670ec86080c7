import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/platform/clock/clock.ts';
import {
  type Database,
  type DatabaseSettings,
  openDatabase,
  type Rules,
} from '../src/platform/db/database.ts';
import type { Engine } from '../src/platform/db/dialect.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import { testPostgres } from './postgres.ts';
import { copyMigratedFile, migratedTemplate, testFolder } from './prepared.ts';

/** The rules for a database without a service. */
export const testRules: Rules = { clock: systemClock, config: readConfig({}) };

/** The engines for a test of the database: both, unless the run is for one. */
export const engines: readonly Engine[] = (['sqlite', 'postgres'] as const).filter(
  (engine) => (process.env.TEST_ENGINE ?? engine) === engine,
);

/** Why a test of PostgreSQL alone is skipped; false if it runs. */
export const withoutPostgres = engines.includes('postgres') ? false : 'this run is on SQLite';

/** A database without a service around it. */
export interface TestDatabase {
  readonly settings: DatabaseSettings;
  /** Opens the database again, as another process would. `close` closes it too. */
  open(): Promise<Database>;
  /** Closes everything that was opened, and deletes the data. */
  close(): Promise<void>;
}

/** Returns an empty database, not opened yet. */
export async function emptyDatabase(engine: Engine): Promise<TestDatabase> {
  return testDatabase(engine, null);
}

async function testDatabase(engine: Engine, template: string | null): Promise<TestDatabase> {
  const folder = await mkdtemp(join(testFolder, 'spaceport-database-'));
  const postgres = engine === 'postgres' ? await testPostgres() : null;
  const url = (await postgres?.createDatabase(template ?? undefined)) ?? null;
  const settings = { url, file: join(folder, 'spaceport.db'), maxConnections: 10 };
  const opened: Database[] = [];
  return {
    settings,
    open: async () => {
      const database = await openDatabase(settings, testRules);
      opened.push(database);
      return database;
    },
    close: async () => {
      for (const database of opened) await database.close();
      if (url !== null) await postgres?.dropDatabase(url);
      await postgres?.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Returns an opened database with its tables. */
export async function migratedDatabase(engine: Engine): Promise<TestDatabase & { database: Database }> {
  const test = await testDatabase(engine, migratedTemplate);
  if (engine === 'sqlite') await copyMigratedFile(test.settings.file);
  const database = await test.open();
  await migrate(database.db);
  return { ...test, database };
}
