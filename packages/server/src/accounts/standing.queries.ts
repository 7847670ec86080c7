import type { AccountId, SessionId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';

/**
 * Locks an account until the transaction ends, against all that `isBanned` and `requireStanding` let write in
 * its name. Call it before credentials are ended: what began earlier is written by then, and what comes later
 * finds them ended.
 */
export async function lockAccount(tx: Tx, id: AccountId): Promise<void> {
  await tx.db.updateTable('creators').set({ updated_at: tx.now }).where('id', '=', id).execute();
}

export async function isSessionThere(tx: Tx, id: SessionId): Promise<boolean> {
  const row = await tx.db.selectFrom('auth_sessions').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}
