import { mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BlobStore } from '../blobs/blob-store.ts';
import { blobKeyColumns } from '../blobs/key-columns.ts';
import { type Clock, toTimestamp } from '../clock/clock.ts';
import type { DatabaseSettings } from '../db/database.ts';
import { withSnapshot } from '../db/snapshot.ts';
import type { Snapshot } from '../db/snapshot-tables.ts';
import { randomLabel } from '../secrets/id.ts';
import { dropOtherBlobs, type KeptBlobs, keepBlobs } from './keep-blobs.ts';
import {
  BackupError,
  backupFormat,
  blobListPath,
  type Manifest,
  manifestPath,
  readManifest,
  tablePath,
} from './layout.ts';
import { LineFile } from './line-file.ts';

export interface BackupSource {
  readonly database: Pick<DatabaseSettings, 'url' | 'file'>;
  readonly store: BlobStore;
  readonly clock: Clock;
}

export interface BackupAnswer {
  readonly manifest: Manifest;
  /** Files that were not in the folder yet. */
  readonly copied: number;
}

/** Between the rows and the files the collector may delete one; rows that are read again do not name it any more. */
const attempts = 3;

/**
 * Takes a backup into a folder, beside a service that runs: the rows as they were at one instant, then the files they
 * name, which stay for a day after the last row that names them is gone. A backup that was there before stays whole
 * until the new one is.
 * @throws `BackupError` where the folder holds something else
 */
export async function takeBackup(source: BackupSource, directory: string): Promise<BackupAnswer> {
  const target = resolve(directory);
  await requireBackupFolder(target);
  let copied = 0;
  for (let attempt = 1; ; attempt++) {
    const folder = `tables-${randomLabel(12)}`;
    try {
      await mkdir(join(target, folder), { mode: 0o700 });
      const { rows, keys } = await keepRows(source, target, folder);
      const kept = await keepBlobs(source.store, target, keys);
      copied += kept.copied;
      if (kept.missing.length > 0 && attempt < attempts) {
        await rm(join(target, folder), { recursive: true });
        continue;
      }
      const manifest: Manifest = { ...rows, folder, blobs: await listBlobs(target, folder, kept) };
      await publish(target, manifest);
      await dropOtherTables(target, folder);
      await dropOtherBlobs(target, kept.blobs);
      return { manifest, copied };
    } catch (error) {
      await rm(join(target, folder), { recursive: true, force: true });
      throw error;
    }
  }
}

/** An empty folder, which is made where there is none, or one that holds a backup. */
async function requireBackupFolder(target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  const names = await readdir(target);
  const foreign = names.filter(
    (name) => !/^(?:manifest\.json(?:\.new)?|blobs|tables-[a-z0-9]+)$/u.test(name),
  );
  if (foreign.length > 0)
    throw new BackupError(`${target} holds something else than a backup: ${foreign[0]}.`);
  if (names.includes('manifest.json')) await readManifest(target);
}

async function keepRows(
  { database, clock }: BackupSource,
  target: string,
  folder: string,
): Promise<{ rows: Omit<Manifest, 'folder' | 'blobs'>; keys: Set<string> }> {
  const keys = new Set<string>();
  const madeAt = toTimestamp(clock.now());
  return withSnapshot(database, async (snapshot) => {
    const tables: Manifest['tables'] = [];
    for (const table of await snapshot.tables()) {
      tables.push(await keepTable(snapshot, table, tablePath(target, { folder }, table), keys));
    }
    const rows = {
      format: backupFormat,
      made_at: madeAt,
      engine: database.url === null ? 'sqlite' : 'postgres',
      migrations: await snapshot.migrations(),
      tables,
      counters: await snapshot.counters(),
    } as const;
    return { rows: { ...rows }, keys };
  });
}

async function keepTable(
  snapshot: Snapshot,
  table: string,
  path: string,
  keys: Set<string>,
): Promise<Manifest['tables'][number]> {
  const keyColumns = blobKeyColumns.filter(([name]) => name === table).map(([, column]) => column);
  const file = await LineFile.create(path);
  try {
    for await (const batch of snapshot.rows(table)) {
      for (const row of batch) {
        for (const column of keyColumns) keys.add(String(row[column]));
        await file.add(row);
      }
    }
    return { name: table, rows: file.lines, sha256: await file.finish() };
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

async function listBlobs(
  target: string,
  folder: string,
  { blobs, missing, damaged }: KeptBlobs,
): Promise<Manifest['blobs']> {
  const file = await LineFile.create(blobListPath(target, { folder }));
  let bytes = 0;
  for (const blob of blobs) {
    bytes += blob.size;
    await file.add(blob);
  }
  return {
    count: blobs.length,
    bytes,
    sha256: await file.finish(),
    missing: [...missing],
    damaged: [...damaged],
  };
}

/** From here on the folder holds this backup, and no longer the one before. */
async function publish(target: string, manifest: Manifest): Promise<void> {
  const path = manifestPath(target);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}

async function dropOtherTables(target: string, folder: string): Promise<void> {
  for (const name of await readdir(target)) {
    if (!name.startsWith('tables-') || name === folder) continue;
    const path = join(target, name);
    if ((await stat(path)).isDirectory()) await rm(path, { recursive: true });
    else await unlink(path);
  }
}
