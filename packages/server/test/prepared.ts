import { copyFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/platform/clock/clock.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { migrate } from '../src/platform/db/migrate.ts';
import type { TestPostgres } from './postgres.ts';

/**
 * Migrated databases, made once per test run: a service that starts on a copy of one has nothing to migrate.
 * A file that runs without the runner has none.
 */
const { TEST_MIGRATED_FILE: migratedFile, TEST_MIGRATED_DATABASE: migratedDatabase } = process.env;

/** The migrated database on the run's PostgreSQL; null if there is none. */
export const migratedTemplate: string | null = migratedDatabase ?? null;

/** The folder for test files that need no disk; in memory if there is enough. */
export const testFolder: string = process.env.TEST_FOLDER ?? tmpdir();

/** Copies the migrated SQLite database to `file`, if there is one. */
export async function copyMigratedFile(file: string): Promise<void> {
  if (migratedFile === undefined) return;
  await mkdir(dirname(file), { recursive: true });
  await copyFile(migratedFile, file);
}

/** Makes the migrated databases. Returns the variables by which the tests find them. */
export async function makeMigrated(
  folder: string,
  postgres: TestPostgres | null,
): Promise<Record<string, string>> {
  const file = join(folder, 'migrated.db');
  const address = (await postgres?.createDatabase()) ?? null;
  for (const url of address === null ? [null] : [null, address]) {
    const rules = { clock: systemClock, config: readConfig({}) };
    const database = await openDatabase({ url, file, maxConnections: 2 }, rules);
    await database.patiently(migrate);
    await database.close();
  }
  return {
    TEST_MIGRATED_FILE: file,
    ...(address === null ? {} : { TEST_MIGRATED_DATABASE: new URL(address).pathname.slice(1) }),
  };
}
