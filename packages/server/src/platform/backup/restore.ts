import { type Kysely, sql } from 'kysely';
import { BlobMismatch, type BlobStore, BlobTooLong, ownerFile } from '../blobs/blob-store.ts';
import { isOwned, storeOwnerKey } from '../blobs/claim-store.ts';
import { dropUnnamed } from '../blobs/drop-unnamed.ts';
import { sizeIfThere } from '../blobs/size-if-there.ts';
import type { Database } from '../db/database.ts';
import { setCounter } from '../db/dialect.ts';
import { appliedMigrations, migrate, migrationNames } from '../db/migrate.ts';
import { type Row, rowsAtOnce } from '../db/snapshot-tables.ts';
import type { Tx } from '../db/tx.ts';
import { storedBlobs } from './keep-blobs.ts';
import {
  BackupError,
  blobListPath,
  blobPath,
  type Manifest,
  parseBlobLine,
  readManifest,
  tablePath,
  verifiedLines,
} from './layout.ts';
import type { BackupPlace } from './place.ts';
import { sideBySide } from './side-by-side.ts';

const copiesAtOnce = 8;
/** The most parameters of a statement are 65,535 on PostgreSQL and 32,766 on SQLite. */
const maxParameters = 30_000;

export interface RestoreTarget {
  /** An open database that was not migrated yet. */
  readonly database: Database;
  readonly store: BlobStore;
}

/**
 * Restores a backup into an installation that has no rows: first the files, under their old keys, then every
 * row in one transaction, then the migrations that are newer than the backup. A failure leaves no rows, and
 * deletes the files that were restored by then. Only a commit whose result is lost leaves both.
 * @throws `BackupError` for a backup that is damaged or newer than this program, for a database that has
 * rows, and for a store that belongs to a database
 */
export async function restoreBackup(
  { database, store }: RestoreTarget,
  source: BackupPlace,
  id?: string,
): Promise<Manifest> {
  const manifest = await readManifest(source, id);
  await makeTables(database, manifest.migrations);
  await requireEmpty(database, manifest);
  await requireFree(store);
  await requireWhole(source, manifest);
  const written: string[] = [];
  let mayBeCommitted = false;
  try {
    await putBlobs(store, source, manifest, written);
    // The transaction waits for reads of the place. That delays nobody, because the database is empty.
    await database.transaction(async (tx) => {
      mayBeCommitted = false;
      await putRows(tx, source, manifest);
      mayBeCommitted = true;
    });
  } catch (error) {
    // A commit that fails may have been made all the same, and then the rows name the files.
    if (mayBeCommitted) throw error;
    await dropUnnamed(store, written);
    throw error;
  }
  await database.patiently((db) => migrate(db));
  return manifest;
}

/** Makes the schema as it was when the backup was taken. */
async function makeTables(database: Database, wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new BackupError(
      `The backup comes from a newer version of Spaceport. This one does not know ${unknown.join(', ')}.`,
    );
  }
  const applied = await appliedMigrations(database.db);
  const newer = applied.filter((name) => !wanted.includes(name));
  if (newer.length > 0) {
    throw new BackupError(
      `The database has a newer schema than the backup (${newer.join(', ')}): restore into an empty one.`,
    );
  }
  const last = wanted.at(-1);
  if (last === undefined) throw new BackupError('The database in the backup has no tables.');
  await database.patiently((db) => migrate(db, last));
}

async function requireEmpty({ db }: Database, { tables }: Manifest): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) {
      throw new BackupError(
        `The database has rows already (in ${name}). A backup is restored into an empty installation: another DATA_DIR or DATABASE_URL, before its first start.`,
      );
    }
  }
}

/** Two databases with the same files would delete each other's. */
async function requireFree(store: BlobStore): Promise<void> {
  if (!isOwned(await store.owner())) return;
  throw new BackupError(
    `The file store belongs to an installation already. Restore into another BLOB_STORE or DATA_DIR. If the database of that installation is gone for good, make the file «${ownerFile}» in the store empty first; the other files stay.`,
  );
}

/**
 * Checks that everything in the manifest is there and unchanged. The bytes of files are checked when they are
 * restored.
 */
async function requireWhole(source: BackupPlace, manifest: Manifest): Promise<void> {
  for (const { name, rows, sha256 } of manifest.tables) {
    let lines = 0;
    for await (const _ of verifiedLines(source, tablePath(manifest, name), sha256)) lines++;
    if (lines !== rows) throw new BackupError(`The backup has ${lines} rows of ${name} instead of ${rows}.`);
  }
  const there = await storedBlobs(source);
  for await (const line of verifiedLines(source, blobListPath(manifest), manifest.blobs.sha256)) {
    const { key, size } = parseBlobLine(line);
    if (there.get(key) !== size) throw new BackupError(`The backup lacks the file ${key}, or it is damaged.`);
  }
}

async function putBlobs(
  store: BlobStore,
  source: BackupPlace,
  manifest: Manifest,
  written: string[],
): Promise<void> {
  const lines = verifiedLines(source, blobListPath(manifest), manifest.blobs.sha256);
  await sideBySide(lines, copiesAtOnce, async (line) => {
    const { key, size } = parseBlobLine(line);
    const [hash = ''] = key.split('-', 1);
    const bytes: AsyncIterable<Uint8Array> | null = await source.open(blobPath(key));
    if (bytes === null) throw new BackupError(`The backup lacks the file ${key}.`);
    // The store of a lost database may have the file already: a failed restore must leave it there.
    const isThere = (await sizeIfThere(store, key)) !== null;
    try {
      await store.write(bytes, { hash, size }, key);
    } catch (error) {
      if (!(error instanceof BlobMismatch) && !(error instanceof BlobTooLong)) throw error;
      throw new BackupError(`The file ${key} of the backup is damaged.`, { cause: error });
    }
    if (!isThere) written.push(key);
  });
}

async function putRows(tx: Tx, source: BackupPlace, manifest: Manifest): Promise<void> {
  for (const { name, sha256 } of manifest.tables) {
    let batch: Row[] = [];
    const put = async () => {
      if (batch.length > 0) await insertRows(tx, name, batch);
      batch = [];
    };
    for await (const line of verifiedLines(source, tablePath(manifest, name), sha256)) {
      const row = JSON.parse(line) as Row;
      batch.push(row);
      const parameters = Object.keys(row).length * (batch.length + 1);
      if (batch.length >= rowsAtOnce || parameters > maxParameters) await put();
    }
    await put();
  }
  for (const [table, last] of Object.entries(manifest.counters)) await setCounter(tx, table, last);
  // The database of the backup may go on with its own store. It has the same name as long as this one has none.
  await tx.db.deleteFrom('settings').where('name', '=', storeOwnerKey).execute();
}

async function insertRows(tx: Tx, table: string, rows: readonly Row[]): Promise<void> {
  // The backup names the tables: all that the schema of its version has.
  const tables = tx.db as unknown as Kysely<Record<string, Record<string, unknown>>>;
  await tables.insertInto(table).values(rows).execute();
}
