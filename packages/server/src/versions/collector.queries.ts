import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { blobKeyColumns } from '../platform/blobs/key-columns.ts';
import { oneOf } from '../platform/db/dialect.ts';
import type { VersionId } from '../platform/db/ids.ts';
import type { Db, Schema } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { addStoredBytes } from './stored-bytes.queries.ts';
import type { BlobRow } from './versions.queries.ts';

/** A range of hashes in hexadecimal. `from` is included, `to` is not. */
export interface HashRange {
  readonly from: string;
  readonly to: string;
}

/** SQLite counts as many in some milliseconds. */
const countedAtOnce = 20_000;

/** Counts the keys in a column of `blobKeyColumns`, in pieces: all in one statement take SQLite up to a second. */
export async function countKeys(db: Db, table: string, column: string): Promise<number> {
  const key = sql.ref(column);
  let count = 0;
  for (let after = ''; ; ) {
    const piece = sql`select ${key} as named from ${sql.table(table)} where ${key} > ${after} order by ${key} limit ${sql.lit(countedAtOnce)}`;
    const { rows } = await sql<{ counted: number | string; last: string | null }>`
      select count(*) as counted, max(named) as last from (${piece}) as piece`.execute(db);
    const counted = Number(rows[0]?.counted ?? 0);
    count += counted;
    if (counted < countedAtOnce) return count;
    after = rows[0]?.last ?? '';
    await nextTurn();
  }
}

export async function listBlobs(
  db: Db,
  { from, to }: HashRange,
  after: string,
  limit: number,
): Promise<BlobRow[]> {
  return db
    .selectFrom('blobs')
    .selectAll()
    .where('hash', '>=', from)
    .where('hash', '<', to)
    .where('hash', '>', after)
    .orderBy('hash')
    .limit(limit)
    .execute();
}

export async function listManifests(db: Db, after: VersionId, limit: number): Promise<Schema['manifests'][]> {
  return db
    .selectFrom('manifests')
    .selectAll()
    .where('version_id', '>', after)
    .orderBy('version_id')
    .limit(limit)
    .execute();
}

export async function markBlobs(db: Db, hashes: readonly string[], now: number): Promise<number> {
  if (hashes.length === 0) return 0;
  const { numUpdatedRows } = await db
    .updateTable('blobs')
    .set({ marked_at: now })
    .where('hash', 'in', oneOf(db, hashes))
    .where('marked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export async function unmarkReferenced(db: Db, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  await db.updateTable('blobs').set({ marked_at: null }).where('hash', 'in', oneOf(db, hashes)).execute();
}

/** Deletes the row of the file if its mark is still `markedAt`. Returns whether it was deleted. */
export async function deleteMarkedBlob(tx: Tx, hash: string, markedAt: number): Promise<boolean> {
  const deleted = await tx.db
    .deleteFrom('blobs')
    .where('hash', '=', hash)
    .where('marked_at', '=', markedAt)
    .returning('size')
    .executeTakeFirst();
  if (!deleted) return false;
  const uploads = await tx.db
    .deleteFrom('blob_uploads')
    .where('hash', '=', hash)
    .returning('principal')
    .execute();
  await addStoredBytes(
    tx,
    uploads.map(({ principal }) => [principal, -deleted.size]),
  );
  return true;
}

/** Returns the store keys of a blob's compressed forms and of its deltas. */
export async function formKeys(db: Db, hash: string): Promise<string[]> {
  const rows = await db
    .selectFrom('blob_forms')
    .select('key')
    .where('hash', '=', hash)
    .unionAll(db.selectFrom('blob_deltas').select('key').where('hash', '=', hash))
    .execute();
  return rows.map(({ key }) => key);
}

/** Returns the store keys among these that a row names. */
export async function findKnownKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  // The types do not know the tables here: the list of columns is data.
  const tables = db as unknown as Kysely<Record<string, Record<string, string>>>;
  const known = new Set<string>();
  for (const [table, column] of blobKeyColumns) {
    const others = keys.filter((key) => !known.has(key));
    if (others.length === 0) return known;
    const rows = await tables
      .selectFrom(table)
      .select(`${column} as named`)
      .where(column, 'in', oneOf(db, others))
      .execute();
    for (const { named } of rows) known.add(String(named));
  }
  return known;
}
