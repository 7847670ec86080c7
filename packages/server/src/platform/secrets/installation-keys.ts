import { randomBytes } from 'node:crypto';
import type { Database } from '../db/database.ts';

/**
 * A key of this installation, made on first use and kept in the database, so that every node has the same one.
 * Two nodes that start at once agree: the first row stays.
 */
export async function installationKey(database: Database, name: string): Promise<Buffer> {
  const read = () =>
    database.db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  const known = await read();
  if (known) return Buffer.from(known.value, 'base64url');
  await database.db
    .insertInto('settings')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await read();
  if (!made) throw new Error(`The key ${name} could not be kept.`);
  return Buffer.from(made.value, 'base64url');
}

/** The same, read once and remembered; where that failed, it is read again. */
export function rememberedKey(database: Database, name: string): () => Promise<Buffer> {
  let key: Promise<Buffer> | null = null;
  return () => {
    key ??= installationKey(database, name).catch((error) => {
      key = null;
      throw error;
    });
    return key;
  };
}
