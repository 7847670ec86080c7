import { sql } from 'kysely';
import { holdRows, oneOfList, rowsOfList } from '../platform/db/dialect.ts';
import type { AccountId, Principal, VersionId } from '../platform/db/ids.ts';
import { type Cells, type List, listOf } from '../platform/db/lists.ts';
import { type Given, prepared } from '../platform/db/prepared.ts';
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
  const [row] = await findUploads(db, { versionId, hash });
  if (!row) return undefined;
  return { principal: row.principal, accountId: row.creator, hasUploaded: row.had !== null };
}

const findUploads = prepared((db, { versionId, hash }: Given<{ versionId: VersionId; hash: string }>) =>
  db
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
    .where('version.id', '=', versionId),
);

/** Returns whether a file's row names this copy of its bytes. */
export async function isNamed(db: Db, { hash, key }: { hash: string; key: string }): Promise<boolean> {
  return (await findNamed(db, { hash, key })).length > 0;
}

const findNamed = prepared((db, { hash, key }: Given<{ hash: string; key: string }>) =>
  db.selectFrom('blobs').select('key').where('hash', '=', hash).where('key', '=', key),
);

export interface StoredBlob {
  readonly hash: string;
  readonly size: number;
  readonly key: string;
  readonly sharedMemory: boolean;
  readonly versionId: VersionId;
  readonly now: number;
  readonly outcome?: 'stored' | 'duplicate' | 'version_gone';
}

/** Some of the files exceed what this account may keep (ACCOUNT_MAX_BYTES). Nothing of the transaction is written. */
export class OverQuota extends Error {
  readonly accountId: AccountId;

  constructor(accountId: AccountId) {
    super(`${accountId} may not keep so many bytes`);
    this.accountId = accountId;
  }
}

/**
 * Writes the rows of files that are durable in the store: the file, and the principal that uploaded it.
 * Returns an outcome for each item. `duplicate`: the bytes were stored already under another key.
 * `version_gone`: the version was deleted in the meantime, so nothing was written.
 * @throws OverQuota
 */
export async function storeBlobs(
  tx: Tx,
  items: readonly StoredBlob[],
  tellMended: () => void,
): Promise<NonNullable<StoredBlob['outcome']>[]> {
  const ids = [...new Set(items.map(({ versionId }) => versionId))];
  // The versions are locked until the commit. A claim that changes the owner of the uploads waits, and then
  // moves these too.
  const versions = await lockVersions(tx.db, { ids: listOf(ids) });
  const principals = new Map(versions.map(({ id, created_by }) => [id, created_by]));
  // The items are sorted, so that two nodes that store the same files take their locks in the same order.
  const kept = items
    .filter(({ versionId }) => principals.has(versionId))
    .sort((left, right) => (left.hash < right.hash ? -1 : 1));
  const stored = new Set(await insertBlobs(tx, kept, tellMended));
  if (kept.length > 0) {
    await unmark(tx.db, { hashes: listOf(kept.map(({ hash }) => hash)) });
    const sizes = new Map(kept.map(({ hash, size }) => [hash, size]));
    const uploads = await insertUploads(tx.db, {
      rows: listOf(kept.map(({ versionId, hash }) => [must(principals, versionId), hash])),
    });
    const added = uploads.map(({ principal, hash }) => [principal, must(sizes, hash)] as const);
    const sums = await addStoredBytes(tx, added);
    // The rows of the sums are locked now, so several nodes cannot exceed a limit together.
    for (const { account } of versions)
      if (account !== null && (sums.get(account) ?? 0) > tx.config.ACCOUNT_MAX_BYTES && grew(account, added))
        throw new OverQuota(account);
  }
  return items.map(({ versionId, key }) =>
    !principals.has(versionId) ? 'version_gone' : stored.has(key) ? 'stored' : 'duplicate',
  );
}

/** Empty files fit in an account that is full. */
function grew(
  account: Principal,
  added: readonly (readonly [principal: Principal, bytes: number])[],
): boolean {
  return added.some(([principal, bytes]) => principal === account && bytes > 0);
}

const lockVersions = prepared((db, { ids }: Given<{ ids: List<VersionId> }>) =>
  db
    .selectFrom('versions')
    .select(['id', 'created_by'])
    .select((version) =>
      version
        .selectFrom('creators')
        .select('creators.id')
        .whereRef('creators.id', '=', 'versions.created_by')
        .as('account'),
    )
    .where('id', 'in', oneOfList(db, ids))
    .modifyEnd(holdRows(db)),
);

/**
 * Inserts files that are new, and replaces the key of files that were lost. Returns the keys that the blobs
 * now have.
 */
async function insertBlobs(tx: Tx, items: readonly StoredBlob[], tellMended: () => void): Promise<string[]> {
  if (items.length === 0) return [];
  const rows = items.map((item) => [item.hash, item.key, item.size, item.sharedMemory ? 1 : 0, item.now]);
  const inserted = await insertBlobRows(tx.db, { rows: listOf(rows) });
  const newlyMade = new Map(items.map(({ key, now }) => [key, now]));
  if (inserted.some(({ key, created_at }) => Number(created_at) !== newlyMade.get(key))) tellMended();
  return inserted.map(({ key }) => key);
}

const insertBlobRows = prepared(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<{ key: string; created_at: number }>`
    insert into blobs (hash, key, size, public, shared_memory, packed, created_at)
    select c0, c1, cast(c2 as bigint), 0, cast(c3 as integer), 0, cast(c4 as bigint)
    from ${rowsOfList(db, rows, ['text', 'text', 'bigint', 'integer', 'bigint'])} as given
    where true on conflict (hash) do update set key = excluded.key
      where blobs.key in (select key from damaged_files)
    returning key, created_at`,
);

/** Takes the collector's mark off files that were uploaded again, so that their wait starts over. */
const unmark = prepared((db, { hashes }: Given<{ hashes: List<string> }>) =>
  db
    .updateTable('blobs')
    .set({ marked_at: null })
    .where('hash', 'in', oneOfList(db, hashes))
    .where('marked_at', 'is not', null),
);

/** Returns the rows that are new. */
const insertUploads = prepared(
  (db, { rows }: Given<{ rows: List<Cells> }>) => sql<{ principal: Principal; hash: string }>`
    insert into blob_uploads (principal, hash) select c0, c1 from ${rowsOfList(db, rows, 2)} as given
    where true on conflict (principal, hash) do nothing
    returning principal, hash`,
);

export async function extendLinks(db: Db, versionId: VersionId, expiresAt: number): Promise<void> {
  await db
    .updateTable('versions')
    .set({ links_expire_at: expiresAt })
    .where('id', '=', versionId)
    .where('status', '=', 'uploading')
    .execute();
}
