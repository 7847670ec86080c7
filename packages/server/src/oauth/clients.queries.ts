import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { deleteUnindexed } from '../platform/db/delete-pieces.ts';
import type { Db, OAuthClientsTable } from '../platform/db/schema.ts';
import type { Tx } from '../platform/db/tx.ts';

export type ClientRow = Selectable<OAuthClientsTable>;

export async function insertClient(tx: Tx, client: ClientRow): Promise<void> {
  await tx.db.insertInto('oauth_clients').values(client).execute();
}

export function findClient(db: Db, id: string): Promise<ClientRow | undefined> {
  return db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function noteUse(tx: Tx, id: string): Promise<void> {
  await tx.db.updateTable('oauth_clients').set({ used_at: tx.now }).where('id', '=', id).execute();
}

/**
 * Deletes clients that were never used and registered before `unusedBefore`, and those last
 * used before `usedBefore`.
 */
export async function sweepClients(
  db: Db,
  { unusedBefore, usedBefore }: { unusedBefore: number; usedBefore: number },
): Promise<void> {
  await deleteUnindexed(
    db,
    'oauth_clients',
    sql`used_at < ${usedBefore} or (used_at is null and created_at < ${unusedBefore})`,
  );
}
