import type { Database } from '../db/database.ts';
import { findInstallationKey, installationKey, linkKey } from '../secrets/installation-keys.ts';
import { type BlobStore, ownerFile } from './blob-store.ts';

/** The setting with the name by which a database owns its store. A restored backup gets a new one. */
export const storeOwnerKey = 'store_owner';

/** The store has the files of another database. */
export class StoreTaken extends Error {}

/** What an operator can do about it. */
export const takenAdvice = `A service deletes files that its database does not name, so each database needs a store of its own. Correct DATABASE_URL, DATA_DIR and BLOB_STORE, or name another store. If the other database is gone for good, restore its backup into an empty store, or delete the file «${ownerFile}» from this one.`;

/**
 * Makes sure that the store belongs to this database, and claims it if it belongs to nobody.
 * @throws `StoreTaken` if it belongs to another database, or if this one is new and there are files already;
 * `StoreUnavailable`
 */
export async function claimStore(database: Database, store: BlobStore): Promise<void> {
  // The store is read first: a new installation writes the setting before the store.
  const owner = await store.owner();
  if (owner !== null) {
    if (owner === (await findInstallationKey(database, storeOwnerKey))) return;
    throw new StoreTaken('The file store belongs to another database');
  }
  const isNew = (await findInstallationKey(database, linkKey)) === undefined;
  if (isNew && (await hasFiles(store)))
    throw new StoreTaken('The database is new, and the file store has files already');
  await store.claim((await installationKey(database, storeOwnerKey)).toString('base64url'));
}

async function hasFiles(store: BlobStore): Promise<boolean> {
  for await (const _ of store.list()) return true;
  return false;
}
