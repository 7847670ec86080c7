import { join } from 'node:path';
import { CommandError } from '../command-line.ts';
import { databaseSettings } from '../open-platform.ts';
import { takeBackup } from '../platform/backup/backup.ts';
import { BackupError, type Manifest } from '../platform/backup/layout.ts';
import { restoreBackup } from '../platform/backup/restore.ts';
import { openBlobStore } from '../platform/blobs/store.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { openDatabase } from '../platform/db/database.ts';
import { type AdminCommand, type Machine, required, type Values } from './admin-command.ts';
import { restoreSpace } from './admin-spaces.ts';

/** Backups (contract §10). Neither call opens the installation as a server does: one writes nothing, one fills it. */
export const backupCommands: Record<string, AdminCommand> = {
  backup: {
    summary:
      'Takes a backup of database and files, also while the service runs. A second one into the same folder adds what is new.',
    usage: '--to DIR',
    options: { to: { type: 'string' } },
    run: ({ config }, values) => explained(() => backup(config, required(values, 'to'))),
  },

  restore: {
    summary: `${restoreSpace.summary} Or puts a backup into an empty installation, on either engine.`,
    usage: `${restoreSpace.usage} | --from DIR`,
    options: { ...restoreSpace.options, from: { type: 'string' } },
    async run(machine: Machine, values: Values) {
      if ((values.from === undefined) === (values.space === undefined))
        throw new CommandError('Give one of --space and --from.');
      if (values.from === undefined) return restoreSpace.run(machine, values);
      return explained(() => restore(machine.config, required(values, 'from')));
    },
  },
};

type Config = Machine['config'];

async function backup(config: Config, directory: string): Promise<Record<string, unknown>> {
  const store = await openStore(config);
  try {
    const source = { database: databaseSettings(config), store, clock: systemClock };
    const { manifest, copied } = await takeBackup(source, directory);
    return { directory, made_at: manifest.made_at, ...counted(manifest), copied };
  } finally {
    await store.close();
  }
}

async function restore(config: Config, directory: string): Promise<Record<string, unknown>> {
  const database = await openDatabase(databaseSettings(config), { clock: systemClock, config });
  try {
    const store = await openStore(config);
    try {
      const manifest = await restoreBackup({ database, store }, directory);
      return { directory, made_at: manifest.made_at, ...counted(manifest) };
    } finally {
      await store.close();
    }
  } finally {
    await database.close();
  }
}

function openStore({ BLOB_STORE, DATA_DIR }: Config) {
  return openBlobStore({ url: BLOB_STORE, folder: join(DATA_DIR, 'blobs') });
}

function counted({ tables, blobs }: Manifest): Record<string, unknown> {
  return {
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: blobs.count,
    bytes: blobs.bytes,
    // A file that a row names and the store does not have is a loss of before the backup.
    missing: blobs.missing,
    damaged: blobs.damaged,
  };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError(error.message);
    throw error;
  }
}
