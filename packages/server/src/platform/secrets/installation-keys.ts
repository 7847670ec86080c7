import { randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { findSetting } from '../db/swapped-setting.queries.ts';
import { madeOnce } from '../made-once.ts';

/** The key that every installation has from its first start on. */
export const linkKey = 'link_key';

/**
 * Returns a key of this installation (32 bytes). It is made at the first use and kept in the database, so
 * that all nodes have the same key. If two nodes make it at the same time, the first row stays.
 */
export async function installationKey(database: Database, name: string): Promise<Buffer> {
  const read = () => findSetting(database.db, name);
  const known = await read();
  if (known) return Buffer.from(known, 'base64url');
  await database.db
    .insertInto('settings')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await read();
  if (!made) throw new Error(`The key ${name} could not be kept.`);
  return Buffer.from(made, 'base64url');
}

/** Like `installationKey`, but remembers the key. */
export function rememberedKey(database: Database, name: string): () => Promise<Buffer> {
  return madeOnce(() => installationKey(database, name));
}
