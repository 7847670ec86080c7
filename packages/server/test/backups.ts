import assert from 'node:assert/strict';
import { join } from 'node:path';
import { CommandError } from '../src/command-line.ts';
import { adminCommands } from '../src/commands/admin-commands.ts';
import { requireInstallation } from '../src/commands/installed.ts';
import { readConfig } from '../src/config.ts';
import { databaseSettings } from '../src/open-platform.ts';
import { storeOwnerKey } from '../src/platform/blobs/claim-store.ts';
import { openBlobStore } from '../src/platform/blobs/store.ts';
import { withSnapshot } from '../src/platform/db/snapshot.ts';
import type { AdminAnswer } from './run-admin.ts';

/** Returns every row of an installation, by table, but the name of its store's owner, which no restore keeps. */
export async function rowsOf(environment: Record<string, string>): Promise<Record<string, string[]>> {
  return withSnapshot(databaseSettings(readConfig(environment)), async (snapshot) => {
    const tables: Record<string, string[]> = {};
    for (const table of await snapshot.tables()) {
      const lines: string[] = [];
      for await (const batch of snapshot.rows(table)) {
        for (const row of batch.filter(({ name }) => name !== storeOwnerKey))
          lines.push(JSON.stringify(Object.entries(row).sort()));
      }
      tables[table] = lines.sort();
    }
    return tables;
  });
}

/** Returns the keys of an installation's file store. */
export async function keysIn({ BLOB_STORE, DATA_DIR }: Record<string, string>): Promise<string[]> {
  const store = await openBlobStore({ url: BLOB_STORE || null, folder: join(DATA_DIR ?? '', 'blobs') });
  try {
    return (await Array.fromAsync(store.list())).map(({ key }) => key);
  } finally {
    await store.close();
  }
}

/** Calls admin in this process. Errors without a message for the caller are thrown. */
export async function callAdmin(
  environment: Record<string, string>,
  name: string,
  values: Record<string, string>,
): Promise<AdminAnswer> {
  const command = adminCommands[name] ?? assert.fail(`no call ${name}`);
  const config = readConfig(environment);
  const platform = () => assert.fail('it does not start the installation');
  const installed = () => requireInstallation(config).then(platform);
  try {
    const json = await command.run({ config, platform, installed }, values);
    return { code: 0, json: JSON.parse(JSON.stringify(json)), errors: '' };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { code: 1, json: null, errors: error.message };
  }
}
