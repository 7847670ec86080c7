import type { Database } from '../db/database.ts';
import { findSetting } from '../db/swapped-setting.queries.ts';
import { installationKey, linkKey } from '../secrets/installation-keys.ts';
import { type BlobStore, ownerFile } from './blob-store.ts';

/** The setting with the name by which a database owns its store. A restored backup gets a new one. */
export const storeOwnerKey = 'store_owner';

/** The store is not the one of this database. */
export class WrongStore extends Error {}

/** What an operator can do about it. */
export const wrongStoreAdvice = `Check DATABASE_URL, DATA_DIR and BLOB_STORE, and whether the disk is mounted. A service deletes files that its database does not name, so each database needs a store of its own. To take this store all the same, make its file «${ownerFile}» empty.`;

/**
 * Makes sure that the store belongs to this database, and claims it if it belongs to nobody.
 * @throws `WrongStore` if it belongs to another database, if this one is new and there are files already, or if
 * this one had a store with files before and there are none; `StoreUnavailable`
 */
export async function claimStore(database: Database, store: BlobStore): Promise<void> {
  // The store is read first: a new installation writes the setting before the store.
  const owner = await store.owner();
  const known = await findSetting(database.db, storeOwnerKey);
  if (isOwned(owner)) {
    if (owner === known) return;
    throw new WrongStore('The file store belongs to another database');
  }
  // An operator who makes the file empty takes the store as it is.
  if (owner === null) await requireLikely(database, store, known !== null);
  await store.claim((await installationKey(database, storeOwnerKey)).toString('base64url'));
}

/** Returns whether a database has claimed the store. */
export function isOwned(owner: string | null): owner is string {
  return owner !== null && owner.trim() !== '';
}

/** @throws `WrongStore` if a store that nobody has claimed cannot be the one of this database */
async function requireLikely(database: Database, store: BlobStore, hadStore: boolean): Promise<void> {
  const isNew = (await findSetting(database.db, linkKey)) === null;
  if (!isNew && !hadStore) return;
  const hasFiles = await isFilled(store);
  if (isNew && hasFiles)
    throw new WrongStore(
      'The database is new, and the file store has files already (if a restore was broken off, run it again)',
    );
  if (hadStore && !hasFiles && (await namesFiles(database)))
    throw new WrongStore('The database names files, and the file store is empty');
}

async function isFilled(store: BlobStore): Promise<boolean> {
  for await (const _ of store.list()) return true;
  return false;
}

async function namesFiles({ db }: Database): Promise<boolean> {
  return (await db.selectFrom('blobs').select('hash').limit(1).executeTakeFirst()) !== undefined;
}
