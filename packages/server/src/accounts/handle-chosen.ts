import type { AccountId } from '../platform/db/ids.ts';
import type { Tx } from '../platform/db/tx.ts';

/** The job for data of an account that waited for its handle. */
export const handleChosenJob = 'handle-chosen';

export async function noteHandleChosen(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.enqueue(handleChosenJob, accountId);
}
