import { type Selectable, sql } from 'kysely';
import { deleteInPieces } from '../platform/db/delete-pieces.ts';
import type { CreateKeysTable, Db } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export type CreateKeyRow = Selectable<CreateKeysTable>;

/** Returns what the key of a publisher has made since `since` (epoch milliseconds). */
export async function findKept(
  tx: Tx,
  { publisher, key_hash }: Pick<CreateKeyRow, 'publisher' | 'key_hash'>,
  since: number,
): Promise<CreateKeyRow | undefined> {
  return tx.db
    .selectFrom('create_keys')
    .selectAll()
    .where('publisher', '=', publisher)
    .where('key_hash', '=', key_hash)
    .where('created_at', '>', since)
    .executeTakeFirst();
}

/** Writes what a key has made. It replaces what the key made over a day ago, or what was deleted meanwhile. */
export async function putKept(tx: Tx, row: CreateKeyRow): Promise<void> {
  await tx.db
    .insertInto('create_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['publisher', 'key_hash']).doUpdateSet(row))
    .execute();
}

export async function deleteKeysUpTo(db: Db, instant: number): Promise<void> {
  await deleteInPieces(db, 'create_keys', sql`created_at <= ${instant}`);
}
