import { takeOwnBackup } from '../backups/take-own-backup.ts';
import { CommandError } from '../command-line.ts';
import { databaseSettings, keepDataPrivate, storeSettings } from '../open-platform.ts';
import { takeBackup } from '../platform/backup/backup.ts';
import { onlyNewest } from '../platform/backup/drop-others.ts';
import { BackupError, idOf, listBackups, type Manifest, readManifest } from '../platform/backup/layout.ts';
import { withBackupPlace } from '../platform/backup/open-place.ts';
import { restoreBackup } from '../platform/backup/restore.ts';
import { verifyBackup } from '../platform/backup/verify-backup.ts';
import { openBlobStore } from '../platform/blobs/store.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { openDatabase } from '../platform/db/database.ts';
import { temporaryFolder } from '../platform/temporary-folder.ts';
import { type AdminCommand, type Machine, required, type Values } from './admin-command.ts';
import { restoreSpace } from './admin-spaces.ts';
import { placeIn, withoutStack } from './backup-places.ts';
import { requireInstallation } from './installed.ts';

type Config = Machine['config'];

/**
 * The admin commands about backups. A PLACE is a folder or `s3://…`; the default is BACKUP_TO.
 * Only `backup` into BACKUP_TO opens the installation as a server does. The other commands write nothing into
 * it, except for `restore`, which fills it.
 */
export const backupCommands: Record<string, AdminCommand> = {
  backup: {
    summary:
      'Takes a backup of database and files, also while the service runs. In BACKUP_TO, BACKUP_KEEP decides how long it is kept; elsewhere it replaces the previous one. Only new files are copied.',
    usage: '[--to PLACE]',
    options: { to: { type: 'string' } },
    run: (machine, { to }) =>
      withoutStack(() => {
        const { BACKUP_TO } = machine.config;
        if (to === undefined && BACKUP_TO === null)
          throw new CommandError('Give --to PLACE, or set BACKUP_TO.');
        const place = to === undefined ? BACKUP_TO : placeIn(to);
        return place === null || place === BACKUP_TO ? ownBackup(machine) : backup(machine.config, place);
      }),
  },

  backups: {
    summary: 'Lists the backups of a place, the newest first.',
    usage: '[--in PLACE]',
    options: { in: { type: 'string' } },
    run: ({ config }, values) =>
      withoutStack(() =>
        withBackupPlace(placeOf(config, values), temporaryFolder(config), async (place) => ({
          place: place.name,
          backups: (await listBackups(place)).map((manifest) => ({
            id: idOf(manifest),
            made_at: manifest.made_at,
            ...counted(manifest),
          })),
        })),
      ),
    asText: ({ place, backups }) =>
      Array.isArray(backups) && backups.length > 0
        ? [`In ${place}:`, ...backups.map(asLine)].join('\n')
        : `There is no backup in ${place}.`,
  },

  'verify-backup': {
    summary:
      'Reads a whole backup (the newest, or the one that --id names) and compares every file with its hash. Exits with 1 if it is damaged.',
    usage: '[--in PLACE] [--id ID]',
    options: { in: { type: 'string' }, id: { type: 'string' } },
    run: ({ config }, values) =>
      withoutStack(() =>
        withBackupPlace(placeOf(config, values), temporaryFolder(config), async (place) => {
          const manifest = await readManifest(place, idIn(values));
          const wrong = await verifyBackup(place, manifest);
          if (wrong.length > 0)
            throw new BackupError(`The backup ${idOf(manifest)} is damaged:\n${wrong.join('\n')}`);
          return { id: idOf(manifest), made_at: manifest.made_at, ...counted(manifest) };
        }),
      ),
  },

  restore: {
    summary: `${restoreSpace.summary} Or puts a backup into an empty installation, on either engine: the newest of a place, or the one that --id names.`,
    usage: `${restoreSpace.usage} | --from PLACE [--id ID]`,
    options: { ...restoreSpace.options, from: { type: 'string' }, id: { type: 'string' } },
    async run(machine: Machine, values: Values) {
      if ((values.from === undefined) === (values.space === undefined))
        throw new CommandError('Give one of --space and --from.');
      if (values.from === undefined) return restoreSpace.run(machine, values);
      return withoutStack(() => restore(machine.config, placeIn(required(values, 'from')), idIn(values)));
    },
  },
};

function placeOf({ BACKUP_TO }: Config, values: Values): string {
  if (typeof values.in === 'string') return placeIn(values.in);
  if (BACKUP_TO === null) throw new CommandError('Give --in PLACE, or set BACKUP_TO.');
  return BACKUP_TO;
}

function idIn({ id }: Values): string | undefined {
  return typeof id === 'string' ? id : undefined;
}

async function ownBackup(machine: Machine): Promise<Record<string, unknown>> {
  const { manifest, copied } = await takeOwnBackup(
    await machine.installed(),
    databaseSettings(machine.config),
    { byHand: true },
  );
  return { id: idOf(manifest), made_at: manifest.made_at, ...counted(manifest), copied };
}

async function backup(config: Config, to: string): Promise<Record<string, unknown>> {
  await requireInstallation(config);
  const store = await openBlobStore(storeSettings(config));
  try {
    const source = { database: databaseSettings(config), store, clock: systemClock };
    return await withBackupPlace(to, temporaryFolder(config), async (place) => {
      if ((await listBackups(place)).length > 1)
        throw new BackupError(
          `${place.name} holds several backups: a service keeps its own there. Choose another place.`,
        );
      const { manifest, copied } = await takeBackup(source, place, onlyNewest);
      return { directory: place.name, made_at: manifest.made_at, ...counted(manifest), copied };
    });
  } finally {
    await store.close();
  }
}

async function restore(config: Config, from: string, id?: string): Promise<Record<string, unknown>> {
  await keepDataPrivate(config);
  const database = await openDatabase(databaseSettings(config), { clock: systemClock, config });
  try {
    const store = await openBlobStore(storeSettings(config));
    try {
      return await withBackupPlace(from, temporaryFolder(config), async (place) => {
        const manifest = await restoreBackup({ database, store }, place, id);
        return { directory: place.name, made_at: manifest.made_at, ...counted(manifest) };
      });
    } finally {
      await store.close();
    }
  } finally {
    await database.close();
  }
}

function counted({ tables, blobs }: Manifest): Record<string, unknown> {
  return {
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: blobs.count,
    bytes: blobs.bytes,
    // Files that rows name and the store does not have were lost before the backup.
    missing: blobs.missing,
    damaged: blobs.damaged,
  };
}

function asLine({ id, made_at, rows, files, bytes }: Record<string, unknown>): string {
  return `  ${id}  ${made_at}  ${rows} rows, ${files} files, ${bytes} bytes`;
}
