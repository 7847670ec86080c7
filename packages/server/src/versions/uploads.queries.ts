import { sql } from 'kysely';
import { forShare, oneOf, rowsOf } from '../platform/db/dialect.ts';
import type { AccountId, Principal, VersionId } from '../platform/db/ids.ts';
import type { Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';
import { must } from '../platform/must.ts';
import { addStoredBytes } from './stored-bytes.queries.ts';

export interface Uploader {
  /** The id of an account or a claim. */
  readonly principal: Principal;
  /** The principal, if it is an account. */
  readonly accountId: AccountId | null;
  /** Whether the principal has uploaded these bytes before. */
  readonly hasUploaded: boolean;
}

/** Returns the principal that the version's uploads count for; undefined if the version does not exist. */
export async function findUploader(
  db: Db,
  versionId: VersionId,
  hash: string,
): Promise<Uploader | undefined> {
  const row = await db
    .selectFrom('versions as version')
    .leftJoin('creators as creator', 'creator.id', 'version.created_by')
    .leftJoin('blob_uploads as upload', (join) =>
      join.onRef('upload.principal', '=', 'version.created_by').on('upload.hash', '=', hash),
    )
    .leftJoin('blobs as blob', (join) =>
      join
        .onRef('blob.hash', '=', 'upload.hash')
        .on('blob.marked_at', 'is', null)
        .on('blob.key', 'not in', (lost) => lost.selectFrom('damaged_files').select('key')),
    )
    .select(['version.created_by as principal', 'creator.id as creator', 'blob.hash as had'])
    .where('version.id', '=', versionId)
    .executeTakeFirst();
  if (!row) return undefined;
  return { principal: row.principal, accountId: row.creator, hasUploaded: row.had !== null };
}

export interface StoredBlob {
  readonly hash: string;
  readonly size: number;
  readonly key: string;
  readonly sharedMemory: boolean;
  readonly versionId: VersionId;
  readonly now: number;
  readonly outcome?: 'stored' | 'duplicate' | 'version_gone';
}

/**
 * Writes the rows of files that are durable in the store: the file, and the principal that uploaded it.
 * Returns an outcome for each item. `duplicate`: the bytes were stored already under another key.
 * `version_gone`: the version was deleted in the meantime, so nothing was written.
 */
export async function storeBlobs(
  tx: Tx,
  items: readonly StoredBlob[],
  tellMended: () => void,
): Promise<NonNullable<StoredBlob['outcome']>[]> {
  const ids = [...new Set(items.map(({ versionId }) => versionId))];
  // The versions are locked until the commit. A claim that changes the owner of the uploads waits, and then
  // moves these too.
  const versions = await tx.db
    .selectFrom('versions')
    .select(['id', 'created_by'])
    .where('id', 'in', oneOf(tx.db, ids))
    .modifyEnd(forShare(tx))
    .execute();
  const principals = new Map(versions.map(({ id, created_by }) => [id, created_by]));
  // The items are sorted, so that two nodes that store the same files take their locks in the same order.
  const kept = items
    .filter(({ versionId }) => principals.has(versionId))
    .sort((left, right) => (left.hash < right.hash ? -1 : 1));
  const stored = new Set(await insertBlobs(tx, kept, tellMended));
  if (kept.length > 0) {
    await unmark(
      tx,
      kept.map(({ hash }) => hash),
    );
    const sizes = new Map(kept.map(({ hash, size }) => [hash, size]));
    const uploads = await insertUploads(
      tx,
      kept.map(({ versionId, hash }) => [must(principals, versionId), hash]),
    );
    await addStoredBytes(
      tx,
      uploads.map(({ principal, hash }) => [principal, must(sizes, hash)]),
    );
  }
  return items.map(({ versionId, key }) =>
    !principals.has(versionId) ? 'version_gone' : stored.has(key) ? 'stored' : 'duplicate',
  );
}

/**
 * Inserts files that are new, and replaces the key of files that were lost. Returns the keys that the blobs
 * now have.
 */
async function insertBlobs(tx: Tx, items: readonly StoredBlob[], tellMended: () => void): Promise<string[]> {
  if (items.length === 0) return [];
  const rows = items.map((item) => [item.hash, item.key, item.size, item.sharedMemory ? 1 : 0, item.now]);
  const { rows: inserted } = await sql<{ key: string; created_at: number }>`
    insert into blobs (hash, key, size, public, shared_memory, packed, created_at)
    select c0, c1, cast(c2 as bigint), 0, cast(c3 as integer), 0, cast(c4 as bigint) from ${rowsOf(tx.db, rows, 5)} as given
    where true on conflict (hash) do update set key = excluded.key
      where blobs.key in (select key from damaged_files)
    returning key, created_at`.execute(tx.db);
  const newlyMade = new Map(items.map(({ key, now }) => [key, now]));
  if (inserted.some(({ key, created_at }) => Number(created_at) !== newlyMade.get(key))) tellMended();
  return inserted.map(({ key }) => key);
}

/** Takes the collector's mark off files that were uploaded again, so that their wait starts over. */
async function unmark(tx: Tx, hashes: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('blobs')
    .set({ marked_at: null })
    .where('hash', 'in', oneOf(tx.db, hashes))
    .where('marked_at', 'is not', null)
    .execute();
}

/** Returns the rows that are new. */
async function insertUploads(
  tx: Tx,
  rows: readonly [principal: Principal, hash: string][],
): Promise<{ principal: Principal; hash: string }[]> {
  const { rows: inserted } = await sql<{ principal: Principal; hash: string }>`
    insert into blob_uploads (principal, hash) select c0, c1 from ${rowsOf(tx.db, rows, 2)} as given
    where true on conflict (principal, hash) do nothing
    returning principal, hash`.execute(tx.db);
  return inserted;
}

export async function extendLinks(db: Db, versionId: VersionId, expiresAt: number): Promise<void> {
  await db
    .updateTable('versions')
    .set({ links_expire_at: expiresAt })
    .where('id', '=', versionId)
    .where('status', '=', 'uploading')
    .execute();
}
