import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../blobs/blob-store.ts';
import { blobKeyColumns } from '../blobs/key-columns.ts';
import { type Clock, toTimestamp } from '../clock/clock.ts';
import type { DatabaseSettings } from '../db/database.ts';
import { withSnapshot } from '../db/snapshot.ts';
import type { Snapshot } from '../db/snapshot-tables.ts';
import { randomLabel } from '../secrets/id.ts';
import { dropOthers, type Keep } from './drop-others.ts';
import { installationOf } from './installation.ts';
import { type KeptBlobs, keepBlobs } from './keep-blobs.ts';
import {
  BackupError,
  backupFormat,
  blobListPath,
  listBackups,
  type Manifest,
  manifestPath,
  newestManifestPath,
  tablePath,
} from './layout.ts';
import { LineFile } from './line-file.ts';
import type { BackupPlace } from './place.ts';

export interface BackupSource {
  readonly database: Pick<DatabaseSettings, 'url' | 'file'>;
  readonly store: BlobStore;
  readonly clock: Clock;
}

export interface BackupAnswer {
  readonly manifest: Manifest;
  /** The number of files that were not in the place before. */
  readonly copied: number;
}

/**
 * How often it is tried. The collector may delete a file after the rows were read; rows that are read again
 * no longer name it.
 */
const attempts = 3;

/**
 * Takes a backup into a place while the service runs: first the rows as they were at one instant, then the
 * files that they name, which stay for a day after the last row that names them was deleted. Earlier backups
 * stay complete until the new one is; then those that `keep` does not name are deleted. Only one backup at a
 * time may be taken into a place: one that is not complete looks like a failed one.
 * @throws `BackupError` if the place holds something else, or backups of another installation, or if another
 * backup is being taken there
 */
export async function takeBackup(
  source: BackupSource,
  place: BackupPlace,
  keep: Keep,
  signal?: AbortSignal,
): Promise<BackupAnswer> {
  await place.prepare();
  const taken = await takeWhole(source, place, signal);
  await dropOthers(place, taken.manifest, keep);
  return taken;
}

async function takeWhole(
  source: BackupSource,
  place: BackupPlace,
  signal: AbortSignal | undefined,
): Promise<BackupAnswer> {
  let copied = 0;
  for (let attempt = 1; ; attempt++) {
    const folder = `tables-${randomLabel(12)}`;
    await mkdir(join(place.scratch, folder), { mode: 0o700 });
    try {
      const { rows, keys } = await keepRows(source, place, folder, signal);
      signal?.throwIfAborted();
      const kept = await keepBlobs(source.store, place, keys, signal);
      copied += kept.copied;
      if (kept.missing.length > 0 && attempt < attempts) {
        await drop(place, folder);
        continue;
      }
      const manifest: Manifest = { ...rows, folder, blobs: await listBlobs(place, folder, kept, signal) };
      const text = `${JSON.stringify(manifest, null, 2)}\n`;
      await place.write(manifestPath(manifest), text);
      await place.write(newestManifestPath, text);
      return { manifest, copied };
    } catch (error) {
      await drop(place, folder).catch(() => {});
      throw error;
    } finally {
      await rm(join(place.scratch, folder), { recursive: true, force: true });
    }
  }
}

/** Deletes the files of a failed backup. */
async function drop(place: BackupPlace, folder: string): Promise<void> {
  const paths = await Array.fromAsync(place.list(`${folder}/`));
  for (const { path } of paths) await place.delete(path);
}

async function keepRows(
  { database, clock }: BackupSource,
  place: BackupPlace,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ rows: Omit<Manifest, 'folder' | 'blobs'>; keys: Set<string> }> {
  const keys = new Set<string>();
  const madeAt = toTimestamp(clock.now());
  const rows = await withSnapshot(database, async (snapshot) => {
    const tables: Manifest['tables'] = [];
    for (const table of await snapshot.tables()) {
      const file = join(place.scratch, tablePath({ folder }, table));
      tables.push(await keepTable(snapshot, table, file, keys, signal));
    }
    return {
      format: backupFormat,
      made_at: madeAt,
      installation: await installationOf(snapshot),
      engine: database.url === null ? ('sqlite' as const) : ('postgres' as const),
      migrations: await snapshot.migrations(),
      tables,
      counters: await snapshot.counters(),
    } satisfies Omit<Manifest, 'folder' | 'blobs'>;
  });
  await requireSameInstallation(place, rows);
  // This runs after the snapshot has ended, because a snapshot keeps the database from cleaning up.
  for (const { name, sha256 } of rows.tables) await send(place, tablePath({ folder }, name), sha256, signal);
  return { rows, keys };
}

/** Wrong settings lead to a place of another installation, whose backups would be replaced. */
async function requireSameInstallation(
  place: BackupPlace,
  { installation }: Pick<Manifest, 'installation'>,
): Promise<void> {
  const others = (await listBackups(place)).map((manifest) => manifest.installation);
  if (others.some((other) => other !== undefined && installation !== undefined && other !== installation))
    throw new BackupError(`${place.name} holds backups of another installation.`);
}

async function keepTable(
  snapshot: Snapshot,
  table: string,
  file: string,
  keys: Set<string>,
  signal: AbortSignal | undefined,
): Promise<Manifest['tables'][number]> {
  const keyColumns = blobKeyColumns.filter(([name]) => name === table).map(([, column]) => column);
  const lines = await LineFile.create(file);
  try {
    for await (const batch of snapshot.rows(table)) {
      signal?.throwIfAborted();
      for (const row of batch) {
        for (const column of keyColumns) keys.add(String(row[column]));
        await lines.add(row);
      }
    }
    return { name: table, rows: lines.lines, sha256: await lines.finish() };
  } catch (error) {
    await lines.abandon();
    throw error;
  }
}

async function listBlobs(
  place: BackupPlace,
  folder: string,
  { blobs, missing, damaged }: KeptBlobs,
  signal: AbortSignal | undefined,
): Promise<Manifest['blobs']> {
  const path = blobListPath({ folder });
  const file = await LineFile.create(join(place.scratch, path));
  let bytes = 0;
  for (const blob of blobs) {
    bytes += blob.size;
    await file.add(blob);
  }
  const sha256 = await file.finish();
  await send(place, path, sha256, signal);
  return { count: blobs.length, bytes, sha256, missing: [...missing], damaged: [...damaged] };
}

/** Moves a file from the scratch folder to the same path in the place. */
async function send(
  place: BackupPlace,
  path: string,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = join(place.scratch, path);
  const { size } = await stat(file);
  await place.put(path, file, { hash, size, signal });
}
