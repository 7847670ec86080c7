import type { Selectable } from 'kysely';
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
  await db
    .deleteFrom('oauth_clients')
    .where((client) =>
      client.or([
        client('used_at', '<', usedBefore),
        client.and([client('used_at', 'is', null), client('created_at', '<', unusedBefore)]),
      ]),
    )
    .execute();
}
