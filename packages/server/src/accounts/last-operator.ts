import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';
import { hasOtherOperator } from './close-account.queries.ts';

/**
 * Returns whether the service would have no operator without this account. The lock makes sure that one stays if the
 * last two leave at once.
 */
export async function isLastOperator(tx: Tx, id: AccountId): Promise<boolean> {
  await tx.lock('accounts:operators');
  return !(await hasOtherOperator(tx, id));
}
