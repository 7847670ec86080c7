import type { Selectable } from 'kysely';
import { oneOf } from '../platform/db/dialect.ts';
import type { Db, Schema } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export type KeyRow = Selectable<Schema['player_keys']>;

/** Returns all keys in the order in which they sign. */
export function listKeys(db: Db): Promise<KeyRow[]> {
  return db.selectFrom('player_keys').selectAll().orderBy('signs_from').execute();
}

export async function insertKey(tx: Tx, key: KeyRow): Promise<void> {
  await tx.db.insertInto('player_keys').values(key).execute();
}

export async function deleteKeys(tx: Tx, kids: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('player_keys').where('kid', 'in', oneOf(tx.db, kids)).execute();
}
