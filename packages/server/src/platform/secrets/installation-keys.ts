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
