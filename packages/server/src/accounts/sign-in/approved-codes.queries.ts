import type { AccountId } from '../../platform/db/ids.ts';
import type { Tx } from '../../platform/db/tx.ts';

/**
 * Withdraws what the account has approved and no program has exchanged for a token yet. A device is told
 * that it was denied; an OAuth code is unknown.
 */
export async function withdrawApprovals(tx: Tx, creatorId: AccountId): Promise<void> {
  await tx.db
    .updateTable('device_logins')
    .set({ status: 'denied' })
    .where('creator_id', '=', creatorId)
    .where('status', '=', 'approved')
    .execute();
  await tx.db
    .deleteFrom('oauth_codes')
    .where('creator_id', '=', creatorId)
    .where('token_id', 'is', null)
    .execute();
}
